import Bytes

/// What was found wrong with one file, as text for a person.
package struct DiagnosticReport: Sendable {
  package let source: SourceText
  let diagnostics: [Diagnostic]

  package init(source: SourceText, diagnostics: [Diagnostic]) {
    self.source = source
    self.diagnostics = diagnostics
  }

  /// The first twenty, each with its line and marks below it, an empty line between them; then whether there are more.
  ///
  /// - Parameter highlight: gives the marks of an error or a warning their look on a terminal.
  package func lines(_ highlight: (_ isWarning: Bool, _ text: String) -> String = { $1 }) -> [String] {
    var lines: [String] = []
    let shown = source.withoutCredentials
    for diagnostic in diagnostics.prefix(Diagnostics.most) {
      if !lines.isEmpty { lines.append("") }
      lines += block(diagnostic, shown, highlight)
    }
    if diagnostics.count > Diagnostics.most {
      lines += ["", "\(visible(source.path)): more than \(Diagnostics.most) problems; the rest is not shown"]
    }
    return lines
  }

  private func block(
    _ diagnostic: Diagnostic, _ shown: SourceText, _ highlight: (Bool, String) -> String
  ) -> [String] {
    let position = source.position(of: diagnostic.range.lowerBound)
    let excerpt = Excerpt(shown, diagnostic.range)
    let number = String(position.line)
    let width = max(2, number.count)
    let margin = String(repeating: " ", count: width)
    let isWarning = diagnostic.code.isWarning
    let marks = String(repeating: "^", count: excerpt.length) + (diagnostic.advice.map { " " + visible($0) } ?? "")
    return [
      highlight(isWarning, "\(isWarning ? "warning" : "error")[\(diagnostic.code.rawValue)]") + ": "
        + visible(diagnostic.message),
      "\(margin)--> \(visible(source.path)):\(position.line):\(position.column)",
      "\(margin) |",
      "\(number.padded(to: width, .right)) | \(excerpt.text)",
      "\(margin) | \(String(repeating: " ", count: excerpt.indent))\(highlight(isWarning, marks))",
    ]
  }
}
