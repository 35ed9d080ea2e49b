import Bytes
import ScenarioEngine
import ScenarioFormat

/// What a run cost, and what it got to see: where strategies differ.
struct SystemFigures: Sendable {
  static let columns: [Table.Column] = [
    .text("strategy"), .number("requests"), .number("answers seen"), .number("worker blocked ms"),
    .number("first picture ms"), .number("all ms"),
  ]

  let cells: [String]

  init(_ strategy: String, _ events: [RunEvent]) {
    let milliseconds = { (time: Duration) in (time.inSeconds * 1000).fixed(1) }
    let picture = events.first { $0.kind == .fetchDone }
    cells = [
      strategy, "\(events.count { $0.kind == .requestBegin })", "\(events.count { $0.kind == .serviceAnswer })",
      milliseconds(Self.blocked(events)), picture.map { milliseconds($0.time) } ?? "none",
      milliseconds(events.last?.time ?? .zero),
    ]
  }

  /// How long workers were blocked, all together.
  private static func blocked(_ events: [RunEvent]) -> Duration {
    var since: [String: [Duration]] = [:]
    var sum = Duration.zero
    for event in events where event[.lane] == TraceLane.workers.rawValue {
      let path = event[.path] ?? ""
      if event.kind == .requestBegin { since[path, default: []].append(event.time) }
      if event.kind == .requestEnd, let begin = since[path]?.popFirst() { sum += event.time - begin }
    }
    return sum
  }
}

extension Array {
  fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
