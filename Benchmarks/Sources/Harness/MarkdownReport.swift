extension Report {
  /// The report for a page: the machine in a sentence, then one table.
  public var markdown: String {
    var lines = [
      "Measured in one run of \(rounds) rounds on \(machine.description).", "",
      "| work | who | median | quartiles | \(subject) against it | goal | |",
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

  /// Whether a page has the two marks between which the table stands.
  public static func hasPlace(in page: String, for program: String) -> Bool { place(in: page, for: program) != nil }

  /// The page with the report instead of what stood between its marks; the page itself when it lacks them.
  public func replacingTable(in page: String) -> String {
    guard let place = Self.place(in: page, for: program) else { return page }
    return page[..<place.lowerBound] + "\n\n" + markdown + "\n\n" + page[place.upperBound...]
  }

  /// Where the table of a program begins on a page.
  public static func beginMark(_ program: String) -> String { "<!-- measured: \(program) -->" }
  /// Where the table of a program ends on a page.
  public static func endMark(_ program: String) -> String { "<!-- end of measured: \(program) -->" }

  private static func place(in page: String, for program: String) -> Range<String.Index>? {
    guard let begin = page.firstRange(of: beginMark(program)) else { return nil }
    guard let end = page[begin.upperBound...].firstRange(of: endMark(program)) else { return nil }
    return begin.upperBound..<end.lowerBound
  }
}
