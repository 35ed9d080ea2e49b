extension Scenario {
  /// What must hold.
  package struct Expectation: Sendable, Equatable {
    /// Which sort of expectation, with what it expects.
    package enum Kind: Sendable, Equatable {
      /// How things stand in the end.
      case final([FinalState])
      /// No such event.
      case never(EventPattern)
      /// Every such event has these values.
      case always(EventPattern, has: TraceValues)
      /// The event of this number among all such has these values.
      case nth(EventPattern, Int, has: TraceValues)
      /// Never more at once of what begins with such an event.
      case atOnce(EventPattern, atMost: Int)
      /// Between each such event and the next at least so much time.
      case apart(EventPattern, atLeast: Duration)
      /// So many such events.
      case count(EventPattern, in: ClosedRange<Int>)
      /// One after the other, whatever happens in between.
      case order([EventPattern])
      /// The first such event comes soon enough after the first other one, or after the beginning.
      case within(EventPattern, after: EventPattern?, limit: Duration)
      /// How the last fetch of an image ended.
      case outcome(image: String, is: Outcome)
      /// How many images and subscriptions are still alive after everybody let go of them.
      case leaks(Leaks)
      /// Every such event happens there.
      case lane(EventPattern, is: TraceLane)
      /// Main is never busy or blocked for longer.
      case stall(atMost: Duration)
    }

    package var kind = Kind.final([])
    /// The sentence that a learner reads.
    package var why: String?
    /// The bytes of the file.
    package var range = 0..<0
  }

  /// One thing, as it stands in the end.
  package enum FinalState: Sendable, Equatable {
    /// What a view shows: the id of an image, `placeholder`, or `nothing`.
    case shown(view: String, String)
    case visible(view: String, Bool)
    case state(image: String, ImageStateName)
  }

  /// The states of an image, as a file calls them.
  package enum ImageStateName: String, Sendable, CaseIterable { case idle, fetching, loaded, failed }

  /// The end of a fetch.
  package enum Outcome: Sendable, Equatable {
    /// There was no fetch.
    case none
    case loaded
    case cancelled
    /// An error, whichever.
    case failed
    /// An error of this category.
    case error(ErrorCategory)
  }

  /// The errors of fetches, without their details.
  package enum ErrorCategory: String, Sendable, CaseIterable {
    case invalidURL, blockedByTransportPolicy, unsupportedScheme, badStatus, emptyBody, notAnImage, truncated, tooLarge,
      timedOut, transport
    case cancelled
    // Of services, which have no image.
    case catalogue, notJSON, changedFormat, refusedByService, corruptData, unexpectedAnswer
  }

  /// The most that may still be alive.
  package struct Leaks: Sendable, Equatable {
    package var models: Int
    package var subscriptions: Int

    package init(models: Int = 0, subscriptions: Int = 0) {
      self.models = models
      self.subscriptions = subscriptions
    }
  }
}

extension Scenario {
  /// Of a post without subscribers, the `subscriber`.
  package static let noSubscriber = "none"

  /// Whether some pattern asks for what the model and its views do with the bus, or for the subscribers of a post. One
  /// without a topic does.
  package var needsBus: Bool {
    let usesModel = program != Self.standardProgram || steps.contains { $0.action.view != nil }
    return patterns.contains { pattern in
      guard pattern.kind.isOfBus else { return false }
      let isOfStep = pattern.values[.topic].map { ModelTopic(rawValue: $0) == nil } == true
      return usesModel && !isOfStep || pattern.kind == .busPost && pattern.values[.subscriber] != nil
    }
  }

  private var patterns: [EventPattern] {
    let starts = steps.compactMap { if case .afterEvent(let pattern, _) = $0.start { pattern } else { nil } }
    return starts + expectations.flatMap(\.kind.patterns)
  }

  /// The names of the header fields that some pattern asks for, in small letters.
  package var watchedHeaders: Set<String> {
    let lines = patterns.compactMap { $0.values[.header] }
    return Set(lines.map { String($0.prefix { $0 != ":" }) })
  }
}

extension Scenario.Expectation.Kind {
  /// Its patterns. What an `always` or an `nth` wants of its events is one more.
  fileprivate var patterns: [EventPattern] {
    switch self {
    case .never(let pattern), .count(let pattern, _), .atOnce(let pattern, _), .apart(let pattern, _),
      .lane(let pattern, _):
      [pattern]
    case .always(let pattern, let has), .nth(let pattern, _, let has):
      [pattern, EventPattern(kind: pattern.kind, values: has)]
    case .order(let patterns): patterns
    case .within(let pattern, let start, _): [pattern, start].compactMap(\.self)
    case .final, .outcome, .leaks, .stall: []
    }
  }
}

/// What must hold in every run of every scenario, without a word in its file.
package enum Invariant: String, Sendable, CaseIterable {
  case uiOffMain = "ui-off-main"
  case staleImage = "stale-image"
  case updateAfterDisappear = "update-after-disappear"
  case subscribedAfterDisappear = "subscribed-after-disappear"
  case duplicateFetch = "duplicate-fetch"
  case completedTwice = "completed-twice"
  case neverCompleted = "never-completed"
  case leakedModel = "leaked-model"
  case leakedSubscription = "leaked-subscription"
  case deliveredAfterCancel = "delivered-after-cancel"
  case deadlock
  case starvedPool = "starved-pool"
  case reentrantState = "reentrant-state"
  case livelock

  /// One sentence for people who write scenarios: what has happened if it is broken.
  var help: String {
    switch self {
    case .uiOffMain: "a view drew itself elsewhere than on main"
    case .staleImage:
      "a view shows a picture that is not the one selected for it, or in the end none although it has come"
    case .updateAfterDisappear: "a view drew itself although nobody sees it"
    case .subscribedAfterDisappear: "a view is subscribed to an event after a step, although it is not visible"
    case .duplicateFetch:
      "a path was requested while a request for it was under way; what a redirect leads to is the network's business"
    case .completedTwice: "a fetch ended twice, or without a beginning"
    case .neverCompleted: "a fetch has no end"
    case .leakedModel: "an image is alive although everybody has let go of it"
    case .leakedSubscription: "a subscription is alive although everybody has let go of it"
    case .deliveredAfterCancel: "a fetch ended, or a subscriber was called, after its cancel"
    case .deadlock: "nothing can go on, as all wait for each other"
    case .starvedPool:
      "work waited for a worker while all workers were blocked; on the virtual clock, whose pool the file decides"
    case .reentrantState: "the state of an image was entered while it was being changed; the process ends there"
    case .livelock: "the run does not come to an end"
    }
  }
}
