import FetcherModel
import ScenarioFormat

/// The recorded data of one run, used to judge the run.
package struct RunRecord: Sendable {
  /// The final state.
  package struct Final: Sendable, Equatable {
    var visible: [String: Bool] = [:]
    var images: [String: Scenario.ImageStateName] = [:]
  }

  /// A step with its position in the trace, which is the number of earlier events.
  package struct Mark: Sendable, Equatable {
    package let step: Int
    /// The id of the step, if it has one.
    let id: String?
    package let position: Int
    /// The time at which the step ran. A `wait-idle` counts from the end of its wait.
    var time: Duration
  }

  /// The reason why a run did not finish.
  enum Termination: Sendable, Equatable {
    /// No work is left, but the step is waiting for an event that did not happen.
    case waiting(step: Int)
    /// No work is left, but a fetch or a request has not ended.
    case fetching
    /// The time limit was reached while the step was waiting for an event that did not happen.
    case waitingTooLong(step: Int)
    /// The time limit was reached. The value is the next step, if any.
    case outOfTime(next: Int?)
    /// Work repeats endlessly.
    case endless(Limit)
    /// A deadlock: these schedulers wait for each other.
    case deadlocked(waiting: [String])

    /// Whether more events could have followed. If so, unfinished work may simply have run out of time.
    var isAbrupt: Bool {
      switch self {
      case .waiting, .fetching: false
      case .waitingTooLong, .outOfTime, .endless, .deadlocked: true
      }
    }
  }

  /// The limit at which a run counts as endless.
  enum Limit: Sendable, Equatable {
    case events(Int)
    /// The number of closures on the virtual clock.
    case closures(Int)
    /// The number of closures that ran while the virtual clock did not advance.
    case closuresAtOnce(Int)
  }

  /// A bus event, with the number of earlier events.
  package struct Annotation: Sendable, Equatable {
    package let position: Int
    package let event: RunEvent
  }

  /// A subscription that an invisible view still had after a step.
  struct HiddenSubscriber: Sendable, Equatable {
    let view: String
    let topic: String
    /// The number of events recorded before that time.
    let position: Int
  }

  package var events: [RunEvent] = []
  /// The bus events of the model and its views, if they are shown and no pattern names them. They are stored separately
  /// from the events, so that event numbers do not depend on whether the bus is shown.
  package var annotations: [Annotation] = []
  /// The first subscription that an invisible view still had after a step.
  var hiddenSubscriber: HiddenSubscriber?
  package var marks: [Mark] = []
  /// The requests in the trace.
  package var requests: [RequestLog.Request] = []
  /// The closures and subscriptions, if they were recorded.
  var activity = Activity()
  package var final = Final()
  var leaks = Scenario.Leaks()
  /// The longest time that main was busy or blocked, if main was monitored.
  var longestStall = Duration.zero
  var termination: Termination?
  /// Whether any work waited for a worker while all workers were blocked. False if the clock cannot detect this.
  var poolStarved = false
  /// The time that passed while work was ready to run. Zero on the real clock, which cannot detect this.
  var delayedWork = Duration.zero
  /// The number of calls from outside the run that affected its virtual time.
  var foreignCalls = 0
  /// The name of a strategy that did not use the run's network, or nil.
  var bypassing: StrategyName?
  /// The number of closures that ran, if the run used the virtual clock.
  package var steps = 0
  /// The duration of the run.
  package var duration = Duration.zero

  package init() {}
}

extension RunRecord {
  /// The events and the bus events between them, in order. Events are numbered from one; bus events have no number.
  package var shown: [(number: Int?, event: RunEvent)] {
    var shown: [(number: Int?, event: RunEvent)] = []
    var annotations = annotations[...]
    for (position, event) in events.enumerated() {
      while let annotation = annotations.first, annotation.position <= position {
        shown.append((nil, annotation.event))
        annotations.removeFirst()
      }
      shown.append((position + 1, event))
    }
    return shown + annotations.map { (nil, $0.event) }
  }

  /// The outcome of the run as a user sees it, in a text form that can be compared. It contains the content of each
  /// view and the state of each image.
  package var ending: String {
    var shown: [String: String] = [:]
    for event in events where event.kind == .uiUpdate { shown[event[.view] ?? ""] = event[.shown] ?? "nothing" }
    let views = shown.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let images = final.images.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.rawValue)" }
    return (views + images).joined(separator: ", ")
  }
}

/// The requests in a trace, each with the positions where it begins and ends.
package struct RequestLog: Sendable, Equatable {
  /// One request. Positions count events from zero.
  package struct Request: Sendable, Equatable {
    let path: ScenarioPath
    package let begin: Int
    /// The number of events before the client abandoned the request. A client abandons a request when it cancels the
    /// request or receives a failure status. The request may end much later.
    package var abandoned: Int?
    package var end: Int?
  }

  private(set) var requests: [Request] = []
  /// The unfinished requests of each path, with the oldest first.
  private var open: [ScenarioPath: [Int]] = [:]

  /// The number of unfinished requests.
  var underWay: Int { open.values.reduce(0) { $0 + $1.count } }

  /// Records the start of a request, and returns its number.
  mutating func begin(_ path: ScenarioPath, at position: Int) -> Int {
    requests.append(Request(path: path, begin: position))
    open[path, default: []].append(requests.count - 1)
    return requests.count - 1
  }

  /// Records that the client abandoned the request.
  mutating func abandon(_ number: Int, at position: Int) {
    if requests[number].abandoned == nil, requests[number].end == nil { requests[number].abandoned = position }
  }

  /// Records the end of a request.
  ///
  /// - Parameter number: the number of the request, or nil for the path's oldest unfinished request.
  mutating func end(_ path: ScenarioPath, _ number: Int?, at position: Int) {
    guard let number = number ?? open[path]?.first, requests[number].end == nil else { return }
    requests[number].end = position
    open[path]?.removeAll { $0 == number }
    if open[path]?.isEmpty == true { open[path] = nil }
  }
}
