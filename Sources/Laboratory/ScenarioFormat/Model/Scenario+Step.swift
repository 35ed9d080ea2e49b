extension Scenario {
  /// One action of the user in a scenario, with its start time.
  package struct Step: Sendable, Equatable {
    /// The start time of a step.
    package enum Start: Sendable, Equatable {
      /// A given time after the start of the run.
      case at(Duration)
      /// A given time after another step.
      case after(step: String, plus: Duration)
      /// A given time after the first matching event since the previous step.
      case afterEvent(EventPattern, plus: Duration)
    }

    package var start = Start.at(.zero)
    package var id: String?
    package var action = Action.waitIdle
    /// The range of bytes that the step occupies in the file.
    package var range = 0..<0

    package init(
      start: Start = .at(.zero), id: String? = nil, action: Action = .waitIdle, range: Range<Int> = 0..<0
    ) {
      (self.start, self.id, self.action, self.range) = (start, id, action, range)
    }
  }

  /// The action of a step.
  package enum Action: Sendable, Equatable {
    case appear(view: String)
    case disappear(view: String)
    case select(image: String, view: String)
    case deselect(view: String)
    case switchStrategy(String)
    case cancel(image: String)
    /// Releases an image, or all images if `image` is nil.
    case dropModel(image: String?)
    case publish(topic: String, lane: TraceLane)
    case subscribe(subscriber: String, topic: String, delivery: SubscriberDelivery)
    case unsubscribe(subscriber: String)
    case memoryWarning
    case origin(Route)
    /// Sets the responses for all paths, starting with the next request. Nil restores the responses of each path.
    case originOfAll(Route?)
    /// Sets the latency and the bandwidth of all responses, starting with the next request.
    case network(NetworkConditions)
    /// Later fetches send these header fields and no others.
    case send([Response.Header])
    /// Keeps main busy for this long.
    case busy(Duration)
    case waitIdle
    case note(String)
    /// Taps a control of a page, such as a button.
    case tap(control: String, view: String)

    /// The event that represents the step itself, or nil if only its effects are recorded.
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
      case .network(let conditions): EventPattern(kind: .networkChange, values: [.text: conditions.summary])
      case .note(let text): EventPattern(kind: .note, values: [.text: text])
      case .cancel, .dropModel, .publish, .subscribe, .unsubscribe, .busy, .waitIdle: nil
      }
    }

    /// Whether the step changes the responses of the origin.
    package var changesNetwork: Bool {
      switch self {
      case .origin, .originOfAll, .network: true
      default: false
      }
    }

    /// The view that the step shows, or nil if it shows none.
    var appearing: String? { if case .appear(let view) = self { view } else { nil } }

    /// The view to which the step refers, or nil if there is none.
    package var view: String? {
      switch self {
      case .appear(let view), .disappear(let view), .select(_, let view), .deselect(let view),
        .tap(_, let view):
        view
      default: nil
      }
    }
  }

  /// The scheduler or thread on which a step's subscriber is called.
  package enum SubscriberDelivery: String, Sendable, CaseIterable {
    /// The subscriber is called on the posting thread.
    case posting
    case main, workers
  }
}

/// The start times of steps, as far as they are stated in a file.
struct StepTimes: Sendable {
  /// The time of each step that has an id, or nil if the time depends on events.
  private var byID: [String: Duration?] = [:]
  /// The latest start time so far.
  private(set) var latest = Duration.zero
  /// The file position of the step with the latest start time so far.
  private(set) var location = 0
  /// Whether an overlap of the rounds of the current repetition is known.
  private var overlaps = false

  /// Returns whether this overlap is the first one of its repetition.
  mutating func isFirstOverlap() -> Bool {
    defer { overlaps = true }
    return !overlaps
  }

  mutating func endRepetition() { overlaps = false }

  /// Returns whether an earlier step has this id.
  func knows(_ id: String) -> Bool { byID[id] != nil }

  /// Returns the start time of a step, or nil if it depends on events.
  func time(of start: Scenario.Step.Start) -> Duration? {
    switch start {
    case .at(let time): time
    case .after(let id, let plus): (byID[id] ?? nil).map { $0 + plus }
    case .afterEvent: nil
    }
  }

  /// Adds a step. If two steps have the same id, only the first one counts.
  mutating func add(_ id: String?, at time: Duration?, location: Int = 0) {
    if let time, time >= latest { (latest, self.location) = (time, location) }
    if let id, !knows(id) { byID[id] = .some(time) }
  }
}
