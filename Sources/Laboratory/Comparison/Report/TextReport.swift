/// A report for a terminal.
package struct TextReport: Sendable {
  /// How a line looks where there is colour.
  package enum Look: Sendable { case plain, heading, warning, dim }

  /// One line and its look.
  package struct Line: Sendable, Equatable {
    package let text: String
    package let look: Look
  }

  package static let width = 98

  package let lines: [Line]

  package init(_ document: ReportDocument) {
    lines = Self.lines(document.blocks)
  }

  static func lines(_ blocks: [ReportBlock]) -> [Line] {
    var lines: [Line] = []
    let subjects = blocks.compactMap { if case .answer(let subject, _, _) = $0 { subject.count } else { nil } }
    let indent = (subjects.max() ?? 0) + 2
    for block in blocks {
      switch block {
      case .heading(let text):
        if !lines.isEmpty { lines.append(Line(text: "", look: .plain)) }
        lines.append(Line(text: text, look: .heading))
      case .paragraph(let text): lines += wrap(text, first: "", rest: "", .plain)
      case .warning(let text): lines += wrap(text, first: "warning: ", rest: "  ", .warning)
      case .answer(let subject, let text, let reasons):
        let head = subject + String(repeating: " ", count: indent - subject.count)
        let space = String(repeating: " ", count: indent)
        lines += wrap(text, first: head, rest: space, .plain)
        for reason in reasons { lines += wrap(reason, first: space + "  ", rest: space + "    ", .dim) }
      case .table(let table): lines += self.lines(table)
      case .note(let text): lines += wrap(text, first: "  ", rest: "    ", .dim)
      }
    }
    return lines
  }

  private static func lines(_ table: ReportTable) -> [Line] {
    let widths = table.header.indices.map { index in
      table.rows.reduce(table.header[index].count) { max($0, $1[index].count) }
    }
    let line = { (cells: [String]) -> String in
      let padded = cells.enumerated().map { index, cell in
        let space = String(repeating: " ", count: widths[index] - cell.count)
        return table.wordColumns.contains(index) ? cell + space : space + cell
      }
      let text = padded.joined(separator: "  ")
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    return [Line(text: line(table.header), look: .heading)] + table.rows.map { Line(text: line($0), look: .plain) }
  }

  /// Breaks a text at its spaces.
  private static func wrap(_ text: String, first: String, rest: String, _ look: Look) -> [Line] {
    var lines: [Line] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(Line(text: line, look: look))
        line = rest
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [Line(text: line, look: look)]
  }
}
