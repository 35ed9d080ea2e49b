/// A piece of a report, before it is text, Markdown or HTML.
package enum ReportBlock: Sendable, Equatable {
  case heading(String)
  case paragraph(String)
  /// Something that makes the numbers doubtful.
  case warning(String)
  /// The answer for one subject, with what leads to it.
  case answer(subject: String, text: String, reasons: [String])
  case table(ReportTable)
  case note(String)
}

/// A table whose first column is words and whose others are numbers.
package struct ReportTable: Sendable, Equatable {
  package let header: [String]
  package private(set) var rows: [[String]] = []
  /// Columns of words, counted from zero.
  package let wordColumns: Set<Int>

  package init(_ header: [String], wordColumns: Set<Int> = [0]) {
    self.header = header
    self.wordColumns = wordColumns
  }

  /// Adds a row with one cell for each column.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == header.count, "a row needs \(header.count) cells")
    rows.append(cells)
  }

  /// Behind a number: better or worse than the reference, by a difference that counts.
  static let better = " ✓"
  static let worse = " ✗"

  /// Puts spaces where other cells of a column have a mark, so that its digits stay below each other.
  func aligningMarks() -> ReportTable {
    let isMarked = { (cell: String) in cell.hasSuffix(Self.better) || cell.hasSuffix(Self.worse) }
    let marked = header.indices.filter { index in rows.contains { isMarked($0[index]) } }
    var table = self
    for index in rows.indices {
      for column in marked where !isMarked(rows[index][column]) { table.rows[index][column] += "  " }
    }
    return table
  }
}
