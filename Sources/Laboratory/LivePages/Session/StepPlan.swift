import ScenarioEngine
import ScenarioFormat
import Scheduling

/// A step that the user has performed.
struct PerformedStep: Sendable {
  let time: Duration
  /// The number of earlier events.
  let position: Int
  let json: JSONValue
  /// Whether the step changes responses or the network.
  let changesNetwork: Bool

  /// Whether the step switches the strategy.
  var switchesStrategy: Bool { json["do"]?.text == "switch" }

  /// Whether the step sets several responses of a path, of which the first is for one request.
  var isArmed: Bool { json["path"] != nil && json["responses"]?.elements.count ?? 0 > 1 }
}

/// Chooses when each recorded step starts.
struct StepPlan {
  /// A step this close to an event is recorded after the event.
  static let nearby = Duration.milliseconds(20)

  private let events: [RunEvent]
  /// The last step with a stated time, and the position after which an event counts for the next step.
  private var before: (time: Duration, id: String?, position: Int) = (.zero, nil, 0)
  private var stated = Duration.zero
  private var count = 0
  /// The indices of the steps that wait for an event.
  private(set) var marked: [Int] = []

  init(_ events: [RunEvent]) { self.events = events }

  /// Returns a time at or after all stated times.
  func latest(_ time: Duration) -> Duration { max(stated, time) }

  mutating func json(for step: PerformedStep, _ json: JSONValue) -> JSONValue {
    defer { count += 1 }
    var json = json
    json["at"] = nil
    let near = event(near: step)
    let id = near.map { _ in "step\(count + 1)" }
    if let near, let id {
      json["id"] = .string(id)
      marked.append(count)
      if near >= before.position || before.id == nil {
        json["after"] = pattern(events[near])
        if step.time > events[near].time { json["plus"] = Self.text(step.time - events[near].time) }
      } else {
        // The event comes before the previous step, so this step follows that one.
        json["after"] = .string(before.id ?? "")
        json["plus"] = Self.text(step.time - before.time)
      }
    } else {
      stated = latest(step.time)
      json["at"] = Self.text(stated)
    }
    before = (step.time, id, max(step.position, near.map { $0 + 1 } ?? 0))
    return json
  }

  private static func text(_ time: Duration) -> JSONValue { .string("\(time.inMilliseconds)ms") }

  /// The last response that arrives at about the time of the step. A response to a request of the step itself does not
  /// count.
  private func event(near step: PerformedStep) -> Int? {
    // The events are in the order of their times.
    let first = events.lowerBound { $0.time > step.time - Self.nearby }
    let near = (first..<events.count).prefix { events[$0].time < step.time + Self.nearby }.last { index in
      guard [.fetchDone, .fetchFailed, .serviceAnswer].contains(events[index].kind) else { return false }
      return index < step.position || !startsAfter(step, index)
    }
    // An event before the previous timed step cannot be awaited any more.
    return near.flatMap { $0 >= before.position || before.id != nil ? $0 : nil }
  }

  /// Whether the request whose response this is began after the step.
  private func startsAfter(_ step: PerformedStep, _ index: Int) -> Bool {
    let (event, subject) = (events[index], Self.subject(of: events[index]))
    let begin = event.kind == .serviceAnswer ? TraceKind.requestBegin : .fetchStart
    return events[step.position..<index].contains { $0.kind == begin && $0[subject] == event[subject] }
  }

  /// The attribute that identifies a response.
  private static func subject(of event: RunEvent) -> TraceAttribute {
    event.kind == .serviceAnswer ? .path : .image
  }

  private func pattern(_ event: RunEvent) -> JSONValue {
    let subject = Self.subject(of: event)
    return ["event": .string(event.kind.rawValue), subject.rawValue: .string(event[subject] ?? "")]
  }
}
