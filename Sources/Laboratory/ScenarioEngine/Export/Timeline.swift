import Bytes
import ScenarioFormat

/// A trace as a table for the terminal: one column for each lane, one row for each event. The column of the workers says as well
/// how many of them are blocked in a read.
package struct Timeline: Sendable {
  /// The width of a cell, so that a long note does not move the columns.
  private static let widest = 48

  let events: [RunEvent]
  /// What is wrong, by the number of the event, counted from one.
  let failures: [Int: [String]]

  package init(events: [RunEvent], failures: [Int: [String]]) {
    self.events = events
    self.failures = failures
  }

  /// Of a run that was judged.
  package init(events: [RunEvent], _ outcome: ScenarioOutcome) {
    let failures = outcome.failures.compactMap { failure in failure.step.map { ($0, [failure.message]) } }
    self.init(events: events, failures: Dictionary(failures, uniquingKeysWith: +))
  }

  /// The lines, with what is wrong below the row that shows it.
  ///
  /// - Parameters:
  ///   - heading: gives the first line its look on a terminal.
  ///   - failure: the same for a row that shows what is wrong.
  package func lines(
    heading: (String) -> String = { $0 }, failure: (String) -> String = { $0 }
  ) -> [String] {
    var table = Table([.number("event"), .number("ms")] + TraceLane.allCases.map { .text($0.rawValue) })
    var blocked = 0
    for (index, event) in events.enumerated() {
      let lane = event[.lane].flatMap(TraceLane.init) ?? .main
      let cells = TraceLane.allCases.map { column in
        if column == lane { return event.caption.cut(to: Self.widest) }
        return column == .workers && blocked > 0 ? "(\(blocked) blocked)" : ""
      }
      table.add(["\(index + 1)", (event.time.inSeconds * 1000).fixed(1)] + cells)
      if lane == .workers { blocked += event.kind.blocking }
    }
    let rows = table.lines(heading: heading)
    return [rows[0]]
      + zip(rows.dropFirst(), 1...).flatMap { row, event -> [String] in
        guard let messages = failures[event] else { return [row] }
        return [failure(row)] + messages.map { failure("  ^ \(visible($0))") }
      }
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
