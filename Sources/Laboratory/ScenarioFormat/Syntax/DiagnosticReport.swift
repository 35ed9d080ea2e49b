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

/// The part of a line that a message shows, and where the marks go below it.
struct Excerpt: Sendable, Equatable {
  /// What is shown of the line.
  let text: String
  /// How many characters stand before the marks.
  let indent: Int
  /// How many marks there are.
  let length: Int

  /// Lines up to this many characters are shown whole.
  private static let widest = 72
  /// How much is kept before the marks of a longer line, and behind them.
  private static let before = 30
  private static let behind = 40
  /// So many bytes on either side are looked at: a line may be a megabyte long.
  private static let nearby = 4096

  /// - Parameter range: what the marks point at; the part on its first line counts.
  init(_ source: SourceText, _ range: Range<Int>) {
    let line = source.line(at: range.lowerBound)
    let end = max(range.lowerBound, min(range.upperBound, line.upperBound))
    let low = source.characterStart(in: max(line.lowerBound, range.lowerBound - Self.nearby)..<range.lowerBound)
    let middle = source.characterStart(in: min(end, range.lowerBound + Self.nearby)..<end)
    let high = source.characterStart(in: min(line.upperBound, middle + Self.nearby)..<line.upperBound)
    // Each part by itself, as the whole may have fewer characters than its parts: an accent joins a quote before it.
    let before = shapes(of: source.text(low..<range.lowerBound))
    let marked = shapes(of: source.text(range.lowerBound..<middle))
    let characters = before + marked + shapes(of: source.text(middle..<high))
    let start = before.count
    let length = max(1, min(marked.count, Self.widest - Self.before))
    self.length = length
    guard characters.count > Self.widest || low > line.lowerBound || high < line.upperBound else {
      text = String(characters)
      indent = start
      return
    }
    let first = start > Self.before + 10 ? Self.wordStart(in: characters, from: start - Self.before, to: start) : 0
    let last = min(characters.count, start + length + Self.behind)
    let front = first > 0 || low > line.lowerBound ? "     ... " : ""
    let isCut = last < characters.count || high < line.upperBound
    text = front + String(characters[first..<last]) + (isCut ? " ..." : "")
    indent = front.count + start - first
  }

  private static func wordStart(in characters: [Character], from low: Int, to high: Int) -> Int {
    (low..<high).first { characters[$0 - 1] == " " } ?? low
  }
}
