extension Report {
  /// The report for a page: a sentence about the machine, then a table.
  public var markdown: String {
    var lines = [
      "Measured in one run of \(rounds) rounds on \(machine.description).", "",
      "| work | contender | median | quartiles | \(subject) relative to it | goal | |",
      "| --- | --- | ---: | --- | ---: | --- | --- |",
    ]
    for row in rows {
      for (place, reading) in row.readings.enumerated() {
        let cells = [
          place == 0 ? row.work : "", reading.name, reading.figure(in: row.unit), reading.quartiles,
          reading.comparison, reading.goal, reading.verdict,
        ]
        lines.append("| " + cells.joined(separator: " | ") + " |")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Whether a page has the two marks that enclose the table.
  public static func hasPlace(in page: String, for program: String) -> Bool { place(in: page, for: program) != nil }

  /// Returns the page with the report between its marks, or the unchanged page if it has no marks.
  public func replacingTable(in page: String) -> String {
    guard let place = Self.place(in: page, for: program) else { return page }
    return page[..<place.lowerBound] + "\n\n" + markdown + "\n\n" + page[place.upperBound...]
  }

  /// The mark before the table of a benchmark program.
  public static func beginMark(_ program: String) -> String { "<!-- measured: \(program) -->" }
  /// The mark after the table of a benchmark program.
  public static func endMark(_ program: String) -> String { "<!-- end of measured: \(program) -->" }

  private static func place(in page: String, for program: String) -> Range<String.Index>? {
    guard let begin = page.firstRange(of: beginMark(program)) else { return nil }
    guard let end = page[begin.upperBound...].firstRange(of: endMark(program)) else { return nil }
    return begin.upperBound..<end.lowerBound
  }
}
