/// A plain table: a header, rows, columns as wide as their widest cell.
package struct Table: Sendable {
  /// On which side a column's cells stand.
  package enum Alignment: Sendable { case left, right }

  /// One column.
  package struct Column: Sendable {
    let title: String
    let alignment: Alignment

    /// A column of words.
    package static func text(_ title: String) -> Column { Column(title: title, alignment: .left) }

    /// A column of numbers.
    package static func number(_ title: String) -> Column { Column(title: title, alignment: .right) }
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

  /// The lines to print, without spaces at their ends.
  ///
  /// - Parameter heading: gives the first of them its look on a terminal.
  package func lines(heading: (String) -> String = { $0 }) -> [String] {
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
    return [heading(line(columns.map(\.title), widths))] + rows.map { line($0, widths) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: widths[index] - cell.count)
      text += index == 0 ? "" : "  "
      text += columns[index].alignment == .left ? cell + padding : padding + cell
    }
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
