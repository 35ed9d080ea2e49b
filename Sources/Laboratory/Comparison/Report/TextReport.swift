import PlainText

/// Formats a report for a terminal.
package struct TextReport: Sendable {
  /// The style of a line on a terminal with color.
  package enum Look: Sendable { case plain, heading, warning, dim }

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
    var indent = 0
    for (index, block) in blocks.enumerated() {
      // The answers of one group are aligned.
      if block.subject == nil { indent = 0 }
      if block.subject != nil, indent == 0 {
        indent = (blocks[index...].prefix { $0.subject != nil }.compactMap { $0.subject?.count }.max() ?? 0) + 2
      }
      switch block {
      case .heading(let text):
        if !lines.isEmpty { lines.append(Line(text: "", look: .plain)) }
        lines.append(Line(text: text, look: .heading))
      case .paragraph(let text): lines += wrap(text, first: "", rest: "", .plain)
      case .warning(let text): lines += wrap(text, first: "warning: ", rest: "  ", .warning)
      case .answer(let subject, let text, let reasons):
        let space = "".padded(to: indent)
        lines += wrap(text, first: subject.padded(to: indent), rest: space, .plain)
        for reason in reasons { lines += wrap(reason, first: space + "  ", rest: space + "    ", .dim) }
      case .table(let table): lines += self.lines(table)
      case .note(let text): lines += wrap(text, first: "  ", rest: "    ", .dim)
      case .command(let text):
        // A shell joins the lines of a long command.
        let parts = text.wrapped(to: width - 2, first: "  ", rest: "    ")
        lines += parts.indices.map { Line(text: parts[$0] + ($0 + 1 < parts.count ? " \\" : ""), look: .plain) }
      case .gap: lines.append(Line(text: "", look: .plain))
      }
    }
    return lines
  }

  private static func lines(_ table: ReportTable) -> [Line] {
    let columns = table.header.enumerated().map { index, title -> Table.Column in
      table.wordColumns.contains(index) ? .text(title) : .number(title)
    }
    var text = Table(columns)
    for row in table.rows { text.add(row.map(\.text)) }
    return text.lines().enumerated().map { Line(text: $1, look: $0 == 0 ? .heading : .plain) }
  }

  private static func wrap(_ text: String, first: String, rest: String, _ look: Look) -> [Line] {
    text.wrapped(to: width, first: first, rest: rest).map { Line(text: $0, look: look) }
  }
}

package enum MarkdownReport {
  package static func lines(_ document: ReportDocument) -> [String] {
    document.blocks.flatMap { block -> [String] in
      switch block {
      case .heading(let text): ["", "## \(escaped(text))", ""]
      case .paragraph(let text): [escaped(text), ""]
      case .warning(let text): ["> **Warning:** \(escaped(text))", ""]
      case .answer(let subject, let text, let reasons):
        ["- **\(subject)**: \(escaped(text))"] + reasons.map { "  - \(escaped($0))" }
      case .table(let table): lines(table) + [""]
      case .note(let text): ["- \(escaped(text))"]
      case .command(let text): ["", "```sh", text, "```", ""]
      case .gap: [""]
      }
    }
  }

  private static func lines(_ table: ReportTable) -> [String] {
    let line = { (cells: [String]) in "| " + cells.map(escaped).joined(separator: " | ") + " |" }
    let rule = table.header.indices.map { table.wordColumns.contains($0) ? "---" : "---:" }
    return [line(table.header), "| " + rule.joined(separator: " | ") + " |"] + table.rows.map { line($0.map(\.text)) }
  }

  /// Escapes the text except for code, which is between a pair of backticks.
  private static func escaped(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    guard parts.count % 2 == 1, !text.contains("|") else { return escapedWhole(text) }
    return parts.enumerated().map { $0 % 2 == 1 ? "`\($1)`" : escapedWhole($1) }.joined()
  }

  private static func escapedWhole(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "|*_<>[]`~\\".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}

extension ReportBlock {
  /// The subject of an answer, or nil for another block.
  fileprivate var subject: String? { if case .answer(let subject, _, _) = self { subject } else { nil } }
}
