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
    case subscribe(subscriber: String, topic: String, delivery: SubscriberDelivery)
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

    /// The event that records the step itself; nil where only what it leads to is recorded.
    package var event: EventPattern? {
      switch self {
      case .appear(let view): EventPattern(kind: .viewAppear, values: [.view: view])
      case .disappear(let view): EventPattern(kind: .viewDisappear, values: [.view: view])
      case .select(let image, let view): EventPattern(kind: .viewSelect, values: [.view: view, .image: image])
      case .deselect(let view): EventPattern(kind: .viewDeselect, values: [.view: view])
      case .tap(let control, let view): EventPattern(kind: .viewTap, values: [.view: view, .text: control])
      case .switchStrategy(let name): EventPattern(kind: .strategySwitch, values: [.strategy: name])
      case .memoryWarning: EventPattern(kind: .memoryWarning)
      case .send(let headers):
        EventPattern(
          kind: .headersChange, values: [.text: headers.map { "\($0.name): \($0.value)" }.joined(separator: ", ")])
      case .origin(let route): EventPattern(kind: .originChange, values: [.path: route.path.text])
      case .originOfAll: EventPattern(kind: .originChange)
      case .note(let text): EventPattern(kind: .note, values: [.text: text])
      case .cancel, .dropModel, .publish, .subscribe, .unsubscribe, .busy, .waitIdle: nil
      }
    }

    /// The view that the step lets appear.
    var appearing: String? { if case .appear(let view) = self { view } else { nil } }

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
  package enum SubscriberDelivery: String, Sendable, CaseIterable {
    /// On the thread that posts.
    case posting
    case main, workers
  }
}

/// The times of steps, as far as a file states them.
struct StepTimes: Sendable {
  /// The time of each step that has an id; nil where it depends on what happens.
  private var byID: [String: Duration?] = [:]
  /// The latest time so far.
  private(set) var latest = Duration.zero
  /// Where the step stands that is the latest so far.
  private(set) var location = 0

  /// Whether there is such a step above.
  func knows(_ id: String) -> Bool { byID[id] != nil }

  /// When the step begins; nil where that depends on what happens.
  func time(of start: Scenario.Step.Start) -> Duration? {
    switch start {
    case .at(let time): time
    case .after(let id, let plus): (byID[id] ?? nil).map { $0 + plus }
    case .afterEvent: nil
    }
  }

  /// Takes a step in. Of two with one id the first one counts.
  mutating func add(_ id: String?, at time: Duration?, location: Int = 0) {
    if let time, time >= latest { (latest, self.location) = (time, location) }
    if let id, !knows(id) { byID[id] = .some(time) }
  }
}
