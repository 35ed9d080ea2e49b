import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat
import Scheduling

/// A session as a scenario file. It contains the user's steps, and expectations about the screens that have stayed, except
/// for those that violate an invariant.
///
/// The order of a step and of a response that arrives at about the same time differs between clocks. So such a step
/// waits for the event of the response instead of a time.
struct RecordedSession: Sendable {
  /// An expectation covers a screen that has stayed for this long.
  static let lasting = Duration.milliseconds(100)

  let name: String
  let text: String
  /// The number of the user's steps.
  let steps: Int
  /// The number of steps that wait for an event.
  let afterEvents: Int

  /// - Parameter wrong: the positions of the events that violate an invariant.
  init(
    _ program: LiveProgram, strategy: String, _ performed: [PerformedStep], _ record: RunRecord, wrong: Set<Int>,
    _ screens: [ProgramScreen], isIdle: Bool, now: Duration, date: Date = .now
  ) {
    // With milliseconds, so that two records within a second have different names.
    let style = Date.ISO8601FormatStyle(
      dateSeparator: .omitted, timeSeparator: .omitted, includingFractionalSeconds: true)
    name = "live-\(program.name)-\(date.formatted(style).replacing(/[T.]/, with: "-").filter { $0 != "Z" })"
    let portable = PortableOrigin(program)
    var plan = StepPlan(record.events)
    var lines: [JSONValue] = [program.opening]
    for step in performed { lines.append(plan.json(for: step, portable.step(step.json))) }
    lines.append(["at": .string("\(plan.latest(now).inMilliseconds)ms"), "do": "wait-idle"])
    steps = performed.count
    afterEvents = plan.marked.count
    var file: [(String, JSONValue)] = [
      ("scenario", 1), ("name", .string(name)), ("title", .string("A session with \(program.title)")),
    ]
    if !plan.marked.isEmpty {
      let numbers = plan.marked.map { "\($0 + 1)" }.listed(with: "and")
      let text = "Within 20 ms of an event, and therefore recorded after it: step \(numbers) of the user."
      file.append(("description", .string(text)))
    }
    file += [
      ("program", .string(program.name)), ("strategies", [.string(strategy)]),
      ("limits", ["deadline": .string("\(LiveProgram.deadline.inMilliseconds)ms")]),
      ("images", portable.images), ("origin", portable.origin), ("steps", .list(lines)),
    ]
    if program.variant != Scenario.fixedVariant { file.append(("variants", [.string(program.variant)])) }
    // A blocking read cannot be cancelled, so a stalled one takes longer than a run on the real clock waits.
    let text = Self.line(.list(file.map(\.1)))
    let blocks = text.contains("\"stall\"") && text.contains("\"blocking\"")
    if blocks || plan.latest(now) > ScenarioRules.longestReal - .seconds(1) { file.append(("clocks", ["virtual"])) }
    file.append(("expect", .list(Self.expectations(record.events, wrong: wrong, screens, isIdle: isIdle, end: now))))
    self.text = Self.format(file)
  }

  // MARK: Expectations

  private static func expectations(
    _ events: [RunEvent], wrong: Set<Int>, _ screens: [ProgramScreen], isIdle: Bool, end: Duration
  ) -> [JSONValue] {
    // From the last event to the first, so that the next draw of each view and the next step are known.
    var nextStep = end
    var nextDraws: [String?: Duration] = [:]
    var lastDraws: [String?: Int] = [:]
    var lasting: [Int] = []
    for (index, event) in events.enumerated().reversed() {
      if event[.lane] == TraceLane.user.rawValue { nextStep = event.time }
      guard event.kind == .uiUpdate || event.kind == .pageShow else { continue }
      let isReplaced = nextDraws[event[.view]].map { $0 < nextStep } ?? false
      nextDraws[event[.view]] = event.time
      if event.kind == .uiUpdate, lastDraws[event[.view]] == nil { lastDraws[event[.view]] = index }
      if isReplaced || nextStep - event.time < Self.lasting || isTransient(event) || wrong.contains(index) { continue }
      lasting.insert(index, at: 0)
    }
    var order: [JSONValue] = []
    for pattern in lasting.map({ pattern(events[$0]) }) where order.last != pattern { order.append(pattern) }
    var list: [JSONValue] = []
    if order.count > 1 {
      list.append(["order": .list(order), "why": "The screens that lasted until nothing was in flight, in order."])
    }
    if order.count == 1, case .object(var count) = order[0] {
      count["atLeast"] = 1
      list.append(["count": .object(count)])
    }
    guard isIdle else { return list }
    for screen in screens where screen.isVisible && screen.hasPicture {
      guard let last = lastDraws[screen.view], !wrong.contains(last), !isTransient(events[last]),
        let shown = events[last][.shown]
      else { continue }
      list.append([
        "final": .object(["\(screen.view).shown": .string(shown)]), "why": "The picture that the user has seen last.",
      ])
    }
    return list
  }

  /// Whether the event shows a state that ends by itself.
  private static func isTransient(_ event: RunEvent) -> Bool {
    event[.shown] == "loading" || event.kind == .pageShow && event[.error] == nil && event[.text] == "loading"
  }

  private static func pattern(_ event: RunEvent) -> JSONValue {
    var pattern: [String: JSONValue] = ["event": .string(event.kind.rawValue)]
    for attribute in [TraceAttribute.view, .shown, .error] {
      if let value = event[attribute] { pattern[attribute.rawValue] = .string(value) }
    }
    // The message of an error may differ between strategies.
    if event[.error] == nil, let text = event[.text] { pattern["text"] = .string(text) }
    return .object(pattern)
  }

  // MARK: Text

  /// Formats the file with one line for each element of a list, as the scenarios of the repository are written.
  private static func format(_ members: [(String, JSONValue)]) -> String {
    let lines = members.map { name, value in
      var text = line(value)
      if value.elements.count > 1 || ["steps", "expect"].contains(name) { text = list(value.elements) }
      if let routes = value["routes"] {
        var rest = value
        rest["routes"] = nil
        text = "{\"routes\": \(list(routes.elements))" + (rest == [:] ? "}" : ", \(line(rest).dropFirst())")
      }
      return "  \"\(name)\": \(text)"
    }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private static func list(_ elements: [JSONValue]) -> String {
    "[\n" + elements.map { "    " + line($0) }.joined(separator: ",\n") + "\n  ]"
  }

  private static func line(_ value: JSONValue) -> String { String(decoding: JSONText.line(value), as: UTF8.self) }
}
