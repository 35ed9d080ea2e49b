/// A plain table: a header, rows, columns as wide as their widest cell.
struct Table: Sendable {
  /// On which side a column's cells stand.
  enum Alignment: Sendable { case left, right }

  /// One column.
  struct Column: Sendable {
    let title: String
    let alignment: Alignment

    /// A column of words.
    static func text(_ title: String) -> Column { Column(title: title, alignment: .left) }

    /// A column of numbers.
    static func number(_ title: String) -> Column { Column(title: title, alignment: .right) }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row with one cell for each column.
  mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row needs \(columns.count) cells")
    rows.append(cells)
  }

  /// The lines to print, without spaces at their ends.
  func lines(_ style: Style = .plain) -> [String] {
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
    return [style(.bold, line(columns.map(\.title), widths))] + rows.map { line($0, widths) }
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
