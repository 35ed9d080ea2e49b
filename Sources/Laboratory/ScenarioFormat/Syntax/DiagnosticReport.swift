import PlainText

/// Formats the problems in one file as human-readable text.
package struct DiagnosticReport: Sendable {
  package let source: SourceText
  let diagnostics: [Diagnostic]

  package init(source: SourceText, diagnostics: [Diagnostic]) {
    self.source = source
    self.diagnostics = diagnostics
  }

  /// Returns the first twenty problems, separated by empty lines, and a note if there are more. Each problem is
  /// printed with its source line and marks below the text in question.
  ///
  /// - Parameter highlight: a closure that styles the marks of an error or a warning for a terminal.
  package func lines(_ highlight: (_ isWarning: Bool, _ text: String) -> String = { $1 }) -> [String] {
    var lines: [String] = []
    let listed = diagnostics.prefix(Diagnostics.most)
    let shown = source.withoutCredentials(inLinesAt: listed.map(\.range.lowerBound))
    for diagnostic in listed {
      if !lines.isEmpty { lines.append("") }
      lines += block(diagnostic, shown, highlight)
    }
    if diagnostics.count > Diagnostics.most {
      lines += ["", "\(visible(source.path)): more than \(Diagnostics.most) problems; the others are omitted"]
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

/// The visible part of a line, together with the position of the marks.
struct Excerpt: Sendable, Equatable {
  /// The text of the visible part.
  let text: String
  /// The number of characters before the marks.
  let indent: Int
  /// The number of marks.
  let length: Int

  /// The maximum length, in characters, of a line that is shown completely.
  private static let widest = 72
  /// The number of characters to show before and after the marks in a longer line.
  private static let before = 30
  private static let behind = 40
  /// The number of bytes to read on each side of the marks, because a line may be a megabyte long.
  private static let nearby = 4096

  /// - Parameter range: the range to mark. Only the part on its first line is marked.
  init(_ source: SourceText, _ range: Range<Int>) {
    let line = source.line(at: range.lowerBound)
    let end = max(range.lowerBound, min(range.upperBound, line.upperBound))
    let low = source.characterStart(in: max(line.lowerBound, range.lowerBound - Self.nearby)..<range.lowerBound)
    let middle = source.characterStart(in: min(end, range.lowerBound + Self.nearby)..<end)
    let high = source.characterStart(in: min(line.upperBound, middle + Self.nearby)..<line.upperBound)
    // Convert each part separately, because the whole text may have fewer characters. For example, an accent combines
    // with a quote before it.
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
