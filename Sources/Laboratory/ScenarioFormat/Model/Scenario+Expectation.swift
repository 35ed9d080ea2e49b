import PlainText

extension Scenario {
  /// An expectation about a run.
  package struct Expectation: Sendable, Equatable {
    /// The kind of the expectation, with its parameters.
    package enum Kind: Sendable, Equatable {
      /// These states hold at the end of the run.
      case final([FinalState])
      /// No event matches the pattern.
      case never(EventPattern)
      /// Every event that matches the pattern has these values.
      case always(EventPattern, has: TraceValues)
      /// Among the events that match the pattern, the event with this number has these values.
      case nth(EventPattern, Int, has: TraceValues)
      /// At most this many matching events are unfinished at any time.
      case atOnce(EventPattern, atMost: Int)
      /// At least this much time passes between consecutive matching events.
      case apart(EventPattern, atLeast: Duration)
      /// The number of matching events is in this range.
      case count(EventPattern, in: ClosedRange<Int>)
      /// Matching events occur in this order. Other events may occur between them.
      case order([EventPattern])
      /// The first matching event occurs within this time after `after`. If `after` is nil, the time counts from the
      /// start of the run.
      case within(EventPattern, after: Start?, limit: Duration)
      /// The last fetch of the image has this outcome.
      case outcome(image: String, is: Outcome)
      /// At most this many images and subscriptions still exist after the program is released.
      case leaks(Leaks)
      /// Every matching event occurs on this lane.
      case lane(EventPattern, is: TraceLane)
      /// Main is never busy or blocked for longer than this.
      case stall(atMost: Duration)
    }

    /// The moment from which a time limit counts.
    package enum Start: Sendable, Equatable {
      /// The first event that matches the pattern.
      case event(EventPattern)
      /// The step with this id.
      case step(String)
    }

    package var kind = Kind.final([])
    /// The explanation for a learner.
    package var why: String?
    /// The range of bytes that the expectation occupies in the file.
    package var range = 0..<0
  }

  /// One final state.
  package enum FinalState: Sendable, Equatable {
    /// The content of a view: the id of an image, or a word such as `placeholder` or `nothing`.
    case shown(view: String, String)
    case visible(view: String, Bool)
    case state(image: String, ImageStateName)
  }

  /// The names of image states in a file.
  package enum ImageStateName: String, Sendable, CaseIterable { case idle, fetching, loaded, failed }

  /// The outcome of a fetch.
  package enum Outcome: Sendable, Equatable {
    /// The image was not fetched.
    case none
    case loaded
    case cancelled
    /// The fetch failed with any error.
    case failed
    /// The fetch failed with an error in this category.
    case error(ErrorCategory)
  }

  /// The categories of fetch errors.
  package enum ErrorCategory: String, Sendable, CaseIterable {
    case invalidURL, blockedByTransportPolicy, unsupportedScheme, badStatus, emptyBody, notAnImage, truncated, tooLarge,
      timedOut, transport
    case cancelled
    // These categories are for services, which have no image.
    case catalog, notJSON, changedFormat, refusedByService, corruptData, unexpectedAnswer
  }

  /// The maximum number of leaked objects.
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
  /// The value of `subscriber` for a post without subscribers.
  package static let noSubscriber = "none"

  /// Whether a pattern can match bus events of the model and its views, or names the subscribers of a post. A pattern
  /// without a topic can match bus events of the model.
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

  /// The names of the header fields in patterns, in lowercase.
  package var watchedHeaders: Set<String> {
    let lines = patterns.compactMap { $0.values[.header] }
    return Set(lines.map { String($0.prefix { $0 != ":" }) })
  }
}

extension Scenario.Expectation.Kind {
  /// The patterns in the expectation. The values of an `always` or `nth` count as an additional pattern.
  package var patterns: [EventPattern] {
    switch self {
    case .never(let pattern), .count(let pattern, _), .atOnce(let pattern, _), .apart(let pattern, _),
      .lane(let pattern, _):
      [pattern]
    case .always(let pattern, let has), .nth(let pattern, _, let has):
      [pattern, EventPattern(kind: pattern.kind, values: has)]
    case .order(let patterns): patterns
    case .within(let pattern, .event(let start)?, _): [pattern, start]
    case .within(let pattern, _, _): [pattern]
    case .final, .outcome, .leaks, .stall: []
    }
  }
}

/// An invariant, which must hold in every run of every scenario without being listed in the file.
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

  /// A description of the violation for authors of scenarios.
  var help: String {
    switch self {
    case .uiOffMain: "a view drew itself on a lane other than main"
    case .staleImage:
      "a view shows a picture that is not selected, or no picture at the end although the selected one arrived"
    case .updateAfterDisappear: "a view drew itself while it was not visible"
    case .subscribedAfterDisappear: "a view is subscribed to an event after a step, although it is not visible"
    case .duplicateFetch:
      "a path was requested while a request for it was in flight; the target of a redirect does not count"
    case .completedTwice: "a fetch ended twice, or ended without a start"
    case .neverCompleted: "a fetch did not end, or only its deadline ended it before it sent a request"
    case .leakedModel: "an image still exists after the program has released everything"
    case .leakedSubscription: "a subscription still exists after the program has released everything"
    case .deliveredAfterCancel:
      "a fetch ended after it was cancelled, or a subscriber was called after its subscription ended"
    case .deadlock: "all work waits for other work"
    case .starvedPool:
      "work waited for a worker while all workers were blocked; checked only on the virtual clock"
    case .reentrantState:
      "the state of an image was accessed while it was being changed; Swift then terminates the process"
    case .livelock: "the run does not end"
    }
  }
}
