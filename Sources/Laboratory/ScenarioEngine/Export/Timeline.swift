import PlainText
import ScenarioFormat
import Scheduling

/// A trace as a table for the terminal. The table has a row for each event, a column for each lane, and, if there are
/// bus events, a column for the bus. The workers' column also shows how many workers are blocked in a read.
package struct Timeline: Sendable {
  /// The maximum width of a cell, so that a long note does not shift the columns.
  private static let widest = 48

  /// The rows. The number is nil for a bus event that is not an event of the run.
  private let rows: [(number: Int?, event: RunEvent)]
  /// The failures, keyed by event number, counted from one.
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

  /// Creates the table of a judged run.
  ///
  /// - Parameter showsBus: whether the bus has its own column. If not, the bus events of steps appear in the columns of
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

  /// The lines of the table, with each failure below its row.
  ///
  /// - Parameters:
  ///   - heading: a closure that styles the first line for a terminal.
  ///   - failure: a closure that styles a row with a failure.
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

  /// The width of the rows.
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
  /// The change that the event makes to the number of workers blocked in a read.
  fileprivate var blocking: Int {
    switch self {
    case .requestBegin: 1
    case .requestEnd: -1
    default: 0
    }
  }
}
