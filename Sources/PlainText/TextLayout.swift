import Foundation

/// A plain table: a header and rows. Each column is as wide as its widest cell.
package struct Table: Sendable {
  /// One column.
  package struct Column: Sendable {
    let title: String
    let side: Side

    /// A left-aligned column.
    package static func text(_ title: String) -> Column { Column(title: title, side: .left) }

    /// A right-aligned column, for numbers.
    package static func number(_ title: String) -> Column { Column(title: title, side: .right) }
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

  /// Returns the header and the rows, without trailing spaces.
  ///
  /// - Parameter heading: a closure that styles the header for a terminal.
  package func lines(heading: (String) -> String = { $0 }) -> [String] {
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
    return [heading(line(columns.map(\.title), widths))] + rows.map { line($0, widths) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    cells.indices.map { cells[$0].padded(to: widths[$0], columns[$0].side) }.joined(separator: "  ").withoutEndSpaces
  }
}

/// The alignment of text in a column.
package enum Side: Sendable { case left, right }

extension String {
  /// Returns the string, padded to a width in characters. A longer string is returned unchanged.
  ///
  /// - Parameters:
  ///   - side: the side on which the string is placed. The filler goes on the other side.
  ///   - filler: a single character.
  package func padded(to width: Int, _ side: Side = .left, with filler: String = " ") -> String {
    let padding = String(repeating: filler, count: max(0, width - count))
    return side == .left ? self + padding : padding + self
  }

  /// Returns the string, truncated to a width in characters. A truncated string ends with an ellipsis.
  package func cut(to width: Int) -> String { count <= width ? self : prefix(max(0, width - 1)) + "…" }

  /// The string without its trailing spaces.
  package var withoutEndSpaces: String { String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) }

  /// Returns the string's words, wrapped at spaces into lines of at most the given width in characters. A longer word
  /// gets a separate line.
  ///
  /// - Parameters:
  ///   - first: the prefix of the first line.
  ///   - rest: the prefix of the other lines.
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

extension Int {
  /// Returns the number with its noun, such as `1 class` or `2 classes`.
  ///
  /// - Parameter plural: the plural of the noun. The default is the noun with an appended `s`.
  package func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}

extension [String] {
  /// Returns the words as a list for use in a sentence, such as `a, b or c`.
  package func listed(with conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}

extension String {
  /// The string, escaped for the text of an HTML element or for a quoted attribute.
  package var escapedForHTML: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// The string, escaped in the same way for XML. Characters that XML forbids are replaced with `\u{FFFD}`.
  package var escapedForXML: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\n", "\t": result.unicodeScalars.append(scalar)
      // XML forbids these two characters as well as the control characters.
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      case _ where scalar.properties.generalCategory == .control: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }.escapedForHTML
  }
}

extension Double {
  /// Returns the number with a fixed number of decimals, regardless of the locale.
  package func fixed(_ decimals: Int) -> String {
    formatted(
      .number.precision(.fractionLength(decimals)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
  }
}
