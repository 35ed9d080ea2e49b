/// The text in quotes for a message: one line, not too long, nothing that a terminal would obey.
package func quoted(_ text: String) -> String {
  let limit = 40
  let short = text.count > limit ? text.prefix(limit) + "..." : text[...]
  return "\"\(visible(String(short)))\""
}

/// The text with a mark in the place of each character that has no shape of its own, and a space for a tab.
package func visible(_ text: String) -> String { String(shapes(of: text)) }

/// The same, character by character: in a string, some of them would join what comes before.
package func shapes(of text: String) -> [Character] {
  text.map { character in
    switch character.unicodeScalars.first?.properties.generalCategory {
    case .control where character == "\t": " "
    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    // An accent without a letter below it.
    case .nonspacingMark, .enclosingMark, .spacingMark: "\u{FFFD}"
    default: character
    }
  }
}
