import Bytes
import ScenarioFormat

/// A trace as a table for the terminal: one row for each event, one column for each lane, and one for the bus where
/// there is something in it. The column of the workers says as well how many of them are blocked in a read.
package struct Timeline: Sendable {
  /// The width of a cell, so that a long note does not move the columns.
  private static let widest = 48

  /// What the bus did beside the events has no number.
  private let rows: [(number: Int?, event: RunEvent)]
  /// What is wrong, by the number of the event, counted from one.
  private let failures: [Int: [String]]
  private let columns: [Column]

  private enum Column: Equatable {
    case lane(TraceLane)
    case bus

    var title: String {
      switch self {
      case .lane(let lane): lane.rawValue
      case .bus: "bus"
      }
    }
  }

  package init(events: [RunEvent], failures: [Int: [String]]) {
    self.init(zip(1..., events).map { ($0, $1) }, failures, hasBus: events.contains { $0.kind.isOfBus })
  }

  /// Of a run that was judged.
  ///
  /// - Parameter showsBus: whether the bus has a column. Without it, what steps do with the bus is in the columns of
  ///   their lanes.
  package init(_ record: RunRecord, _ outcome: ScenarioOutcome, showsBus: Bool = true) {
    let failures = outcome.failures.compactMap { failure in failure.step.map { ($0, [failure.message]) } }
    let rows = record.shown.filter { showsBus || $0.number != nil }
    self.init(
      rows, Dictionary(failures, uniquingKeysWith: +), hasBus: showsBus && rows.contains { $0.event.kind.isOfBus })
  }

  private init(_ rows: [(number: Int?, event: RunEvent)], _ failures: [Int: [String]], hasBus: Bool) {
    self.rows = rows
    self.failures = failures
    columns = TraceLane.allCases.flatMap { lane -> [Column] in
      lane == .main && hasBus ? [.lane(lane), .bus] : [.lane(lane)]
    }
  }

  /// The lines, with what is wrong below the row that shows it.
  ///
  /// - Parameters:
  ///   - heading: gives the first line its look on a terminal.
  ///   - failure: the same for a row that shows what is wrong.
  package func lines(
    heading: (String) -> String = { $0 }, failure: (String) -> String = { $0 }
  ) -> [String] {
    let lines = table.lines(heading: heading)
    return [lines[0]]
      + zip(lines.dropFirst(), rows).flatMap { line, row -> [String] in
        guard let messages = row.number.flatMap({ failures[$0] }) else { return [line] }
        return [failure(line)] + messages.map { failure("  ^ \(visible($0))") }
      }
  }

  /// How wide the rows are.
  package var width: Int { table.lines().reduce(0) { max($0, $1.count) } }

  private var table: Table {
    var table = Table([.number("event"), .number("ms")] + columns.map { .text($0.title) })
    var blocked = 0
    for (number, event) in rows {
      let lane = event[.lane].flatMap(TraceLane.init) ?? .main
      let own: Column = event.kind.isOfBus && columns.contains(.bus) ? .bus : .lane(lane)
      let cells = columns.map { column in
        if column == own { return (own == .bus ? event.busCaption : event.caption).cut(to: Self.widest) }
        return column == .lane(.workers) && blocked > 0 ? "(\(blocked) blocked)" : ""
      }
      table.add([number.map(String.init) ?? "", (event.time.inSeconds * 1000).fixed(1)] + cells)
      if lane == .workers { blocked += event.kind.blocking }
    }
    return table
  }
}

extension TraceKind {
  /// How it changes the number of workers that are blocked in a read, where it happens on one.
  fileprivate var blocking: Int {
    switch self {
    case .requestBegin: 1
    case .requestEnd: -1
    default: 0
    }
  }
}
