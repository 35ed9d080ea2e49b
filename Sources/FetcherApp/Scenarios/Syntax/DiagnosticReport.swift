/// What was found wrong with one file, as text for a person.
struct DiagnosticReport: Sendable {
  let source: SourceText
  let diagnostics: [Diagnostic]

  /// The first twenty, each with its line and marks below it, an empty line between them; then whether there are more.
  func lines(_ style: Style = .plain) -> [String] {
    var lines: [String] = []
    for diagnostic in diagnostics.prefix(Diagnostics.most) {
      if !lines.isEmpty { lines.append("") }
      lines += block(diagnostic, style)
    }
    if diagnostics.count > Diagnostics.most {
      lines += ["", "\(source.path): more than \(Diagnostics.most) problems; the rest is not shown"]
    }
    return lines
  }

  private func block(_ diagnostic: Diagnostic, _ style: Style) -> [String] {
    let position = source.position(of: diagnostic.range.lowerBound)
    let excerpt = Excerpt(source, diagnostic.range)
    let number = String(position.line)
    let width = max(2, number.count)
    let margin = String(repeating: " ", count: width)
    let (word, look): (String, Style.Look) = diagnostic.code.isWarning ? ("warning", .yellow) : ("error", .red)
    let marks = String(repeating: "^", count: excerpt.length) + (diagnostic.advice.map { " " + $0 } ?? "")
    return [
      style(look, "\(word)[\(diagnostic.code.rawValue)]") + ": " + diagnostic.message,
      "\(margin)--> \(source.path):\(position.line):\(position.column)",
      "\(margin) |",
      "\(String(repeating: " ", count: width - number.count))\(number) | \(excerpt.text)",
      "\(margin) | \(String(repeating: " ", count: excerpt.indent))\(style(look, marks))",
    ]
  }
}
