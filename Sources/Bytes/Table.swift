/// A plain table: a header and rows. Each column is as wide as its widest cell.
package struct Table: Sendable {
  /// One column.
  package struct Column: Sendable {
    let title: String
    let side: Side

    /// A column of words, which stand on the left.
    package static func text(_ title: String) -> Column { Column(title: title, side: .left) }

    /// A column of numbers, which stand on the right.
    package static func number(_ title: String) -> Column { Column(title: title, side: .right) }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  package init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row with one cell for each column.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row needs \(columns.count) cells")
    rows.append(cells)
  }

  /// The header and the rows, without spaces at the ends of the lines.
  ///
  /// - Parameter heading: styles the header for a terminal.
  package func lines(heading: (String) -> String = { $0 }) -> [String] {
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
    return [heading(line(columns.map(\.title), widths))] + rows.map { line($0, widths) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    cells.indices.map { cells[$0].padded(to: widths[$0], columns[$0].side) }.joined(separator: "  ").withoutEndSpaces
  }
}
