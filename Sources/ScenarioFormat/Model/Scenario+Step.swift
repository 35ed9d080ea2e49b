extension Scenario {
  /// Something that is done at some time.
  package struct Step: Sendable, Equatable {
    /// When it is done.
    package enum Start: Sendable, Equatable {
      /// At a time since the run began.
      case at(Duration)
      /// Some time after another step.
      case after(step: String, plus: Duration)
      /// Some time after the first such event since the step before this one.
      case afterEvent(EventPattern, plus: Duration)
    }

    package var start = Start.at(.zero)
    package var id: String?
    package var action = Action.waitIdle
    /// The bytes of the file.
    package var range = 0..<0
  }

  /// What is done.
  package enum Action: Sendable, Equatable {
    case appear(view: String)
    case disappear(view: String)
    case select(image: String, view: String)
    case deselect(view: String)
    case switchStrategy(String)
    case cancel(image: String)
    /// Nil for all images.
    case dropModel(image: String?)
    case publish(topic: String, lane: TraceLane)
    case subscribe(subscriber: String, topic: String, delivery: SubscriberLane)
    case unsubscribe(subscriber: String)
    case memoryWarning
    case origin(Route)
    /// From the next request on, whatever its path; nil for the answers of each path itself.
    case originOfAll(Route?)
    /// Fetches send these fields from now on, and no others.
    case send([Response.Header])
    /// Main can do nothing else for so long.
    case busy(Duration)
    case waitIdle
    case note(String)
    /// A control of a page is touched, such as a button.
    case tap(control: String, view: String)

    /// The view that it is about.
    package var view: String? {
      switch self {
      case .appear(let view), .disappear(let view), .select(_, let view), .deselect(let view),
        .tap(_, let view):
        view
      default: nil
      }
    }
  }

  /// Where a subscriber of a step is called.
  package enum SubscriberLane: String, Sendable, CaseIterable {
    /// On the lane of whoever posts.
    case posting
    case main, workers
  }
}
