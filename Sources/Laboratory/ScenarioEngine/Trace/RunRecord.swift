import ScenarioFormat

/// All that is known of one run, to be judged.
package struct RunRecord: Sendable {
  /// How things stand in the end.
  package struct Final: Sendable, Equatable {
    var visible: [String: Bool] = [:]
    var images: [String: Scenario.ImageStateName] = [:]
  }

  /// A step with its position in the trace: how many events came before it.
  package struct Mark: Sendable, Equatable {
    package let step: Int
    package let position: Int
  }

  /// Why a run did not come to its end.
  enum Cut: Sendable, Equatable {
    /// Nothing is left to do, and the step waits for something that did not happen.
    case waiting(step: Int)
    /// Nothing is left to do, and a fetch or a request has no end.
    case fetching
    /// The time was up, and the step waits for something that did not happen.
    case waitingTooLong(step: Int)
    /// The time was up; with the step that was still to come, if there was one.
    case outOfTime(next: Int?)
    /// Something goes on for ever.
    case endless(Limit)
    /// Nothing can go on: these schedulers wait for each other.
    case deadlocked(waiting: [String])

    /// Whether more was to come: what has no end then may only have had no time for it.
    var isAbrupt: Bool {
      switch self {
      case .waiting, .fetching: false
      case .waitingTooLong, .outOfTime, .endless, .deadlocked: true
      }
    }
  }

  /// The number at which a run counts as endless.
  enum Limit: Sendable, Equatable {
    case events(Int)
    /// On the virtual clock.
    case closures(Int)
    /// While the virtual clock stood still.
    case closuresAtOnce(Int)
  }

  /// What the bus did, with how many events came before it.
  package struct Aside: Sendable, Equatable {
    package let position: Int
    package let event: RunEvent
  }

  /// A subscription that a view had after a step although it was not visible.
  struct HiddenSubscriber: Sendable, Equatable {
    let view: String
    let topic: String
    /// How many events there were then.
    let position: Int
  }

  package var events: [RunEvent] = []
  /// What the bus did for the model and its views, where that is shown and no pattern asks for it. It is not among the
  /// events then, so that their numbers are the same whether the bus is shown or not.
  package var asides: [Aside] = []
  /// The first one.
  var hiddenSubscriber: HiddenSubscriber?
  var marks: [Mark] = []
  /// The requests of the trace.
  var requests: [RequestLog.Request] = []
  /// What ran where, and who listened, if that was asked for.
  var activity = Activity()
  package var final = Final()
  var leaks = Scenario.Leaks()
  /// The longest time that main was busy or blocked, where it was watched.
  var longestStall = Duration.zero
  var cut: Cut?
  /// Whether work waited for a worker while all of them were blocked, where the clock can tell.
  var poolStarved = false
  /// How often something outside of the run meddled with its virtual time.
  var foreignCalls = 0
  /// How many closures ran, on the virtual clock.
  package var steps = 0
  /// How long it took.
  package var duration = Duration.zero
}

extension RunRecord {
  /// The events and what the bus did between them, in the order in which they happened, each event with its number,
  /// from one.
  package var shown: [(number: Int?, event: RunEvent)] {
    var shown: [(number: Int?, event: RunEvent)] = []
    var asides = asides[...]
    for (position, event) in events.enumerated() {
      while let aside = asides.first, aside.position <= position {
        shown.append((nil, aside.event))
        asides.removeFirst()
      }
      shown.append((position + 1, event))
    }
    return shown + asides.map { (nil, $0.event) }
  }

  /// How the run ended for a user, as a text to compare: what each view shows, and the state of each image.
  package var ending: String {
    var shown: [String: String] = [:]
    for event in events where event.kind == .uiUpdate { shown[event[.view] ?? ""] = event[.shown] ?? "nothing" }
    let views = shown.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let images = final.images.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.rawValue)" }
    return (views + images).joined(separator: ", ")
  }
}

/// The requests of a trace, each with the positions in it that concern it.
struct RequestLog: Sendable, Equatable {
  /// One request. All positions count events from zero.
  struct Request: Sendable, Equatable {
    let path: ScenarioPath
    let begin: Int
    /// How many events there were when its client abandoned it: the client cancelled it, or its status was a failure.
    /// Its end may come much later.
    var abandoned: Int?
    var end: Int?
  }

  private(set) var requests: [Request] = []
  /// Those of each path without an end, oldest first.
  private var open: [ScenarioPath: [Int]] = [:]

  /// How many have no end.
  var underWay: Int { open.values.reduce(0) { $0 + $1.count } }

  /// Notes a beginning, and returns the number of the request.
  mutating func begin(_ path: ScenarioPath, at position: Int) -> Int {
    requests.append(Request(path: path, begin: position))
    open[path, default: []].append(requests.count - 1)
    return requests.count - 1
  }

  /// Notes that the client of a request has no more use for it.
  mutating func abandon(_ number: Int, at position: Int) {
    if requests[number].abandoned == nil, requests[number].end == nil { requests[number].abandoned = position }
  }

  /// Notes an end.
  ///
  /// - Parameter number: nil for the oldest of the path that has none.
  mutating func end(_ path: ScenarioPath, _ number: Int?, at position: Int) {
    guard let number = number ?? open[path]?.first, requests[number].end == nil else { return }
    requests[number].end = position
    open[path]?.removeAll { $0 == number }
    if open[path]?.isEmpty == true { open[path] = nil }
  }
}
