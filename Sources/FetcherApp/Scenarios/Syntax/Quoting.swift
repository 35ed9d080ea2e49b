/// The text in quotes for a message: one line, not too long, nothing that a terminal would obey.
func quoted(_ text: String) -> String {
  let limit = 40
  let short = text.count > limit ? text.prefix(limit) + "..." : text[...]
  return "\"\(visible(String(short)))\""
}

/// The text with a mark in the place of each character that has no shape of its own, and a space for a tab.
func visible(_ text: String) -> String {
  String(
    text.map { character -> Character in
      switch character.unicodeScalars.first?.properties.generalCategory {
      case .control where character == "\t": " "
      case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
      default: character
      }
    })
}
