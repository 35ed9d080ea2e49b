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
