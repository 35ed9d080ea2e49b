/// The side of a column on which its text stands.
package enum Side: Sendable { case left, right }

extension String {
  /// The string, filled to a width in characters. A longer one stays as it is.
  ///
  /// - Parameters:
  ///   - side: where the string stands; the filler is on the other side.
  ///   - filler: a single character.
  package func padded(to width: Int, _ side: Side = .left, with filler: String = " ") -> String {
    let padding = String(repeating: filler, count: max(0, width - count))
    return side == .left ? self + padding : padding + self
  }

  /// The string, cut to a width in characters with an ellipsis at its end.
  package func cut(to width: Int) -> String { count <= width ? self : prefix(max(0, width - 1)) + "…" }

  /// The string without the spaces at its end.
  package var withoutEndSpaces: String { String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) }

  /// The words of the string in lines of a width in characters, broken at spaces. A longer word has its own line.
  ///
  /// - Parameters:
  ///   - first: what the first line begins with.
  ///   - rest: what the other lines begin with.
  package func wrapped(to width: Int, first: String = "", rest: String = "") -> [String] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = rest
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
