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
      }
    }
  }

  private static func lines(_ table: ReportTable) -> [String] {
    let line = { (cells: [String]) in "| " + cells.map(escaped).joined(separator: " | ") + " |" }
    let rule = table.header.indices.map { table.wordColumns.contains($0) ? "---" : "---:" }
    return [line(table.header), "| " + rule.joined(separator: " | ") + " |"] + table.rows.map(line)
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "|*_<>[]`~\\".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
