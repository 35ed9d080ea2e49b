/// A trace as a table for the terminal: one column for each lane, one row for each event.
struct Timeline: Sendable {
  let events: [TraceEvent]
  /// What is wrong, by the number of the event, counted from one.
  let failures: [Int: [String]]

  /// The lines, with what is wrong below the row that shows it.
  func lines(_ style: Style = .plain) -> [String] {
    var table = Table([.number("step"), .number("ms")] + TraceLane.allCases.map { .text($0.rawValue) })
    for (index, event) in events.enumerated() {
      let cells = TraceLane.allCases.map { $0 == event.kind.column(event) ? event.caption : "" }
      table.add(["\(index + 1)", (event.time.inSeconds * 1000).fixed(1)] + cells)
    }
    let rows = table.lines(style)
    return [rows[0]]
      + zip(rows.dropFirst(), 1...).flatMap { row, step -> [String] in
        guard let messages = failures[step] else { return [row] }
        return [style(.red, row)] + messages.map { style(.red, "  ^ \(visible($0))") }
      }
  }
}

extension TraceEvent {
  /// What happened, in a few words, without its lane.
  var caption: String {
    // The image says as much as the path, except where there is none.
    let hidden: [TraceAttribute] = values[.image] == nil ? [.lane] : [.lane, .path]
    let parts = TraceAttribute.allCases.filter { !hidden.contains($0) }.compactMap { values[$0].map(visible) }
    return ([kind.rawValue] + parts).joined(separator: " ")
  }
}

extension TraceEvent.Kind {
  /// In whose column it stands: requests in that of the origin, all else where it happened.
  func column(_ event: TraceEvent) -> TraceLane {
    if self == .requestBegin || self == .requestEnd { return .origin }
    return event[.lane].flatMap(TraceLane.init) ?? .main
  }
}
