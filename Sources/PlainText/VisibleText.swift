/// Returns the text in quotes for use in a message. The result is one shortened line without credentials or control
/// characters.
package func quoted(_ text: String) -> String {
  // Remove credentials before shortening the text, because shortening could cut off the end of a password.
  let text = text.withoutCredentials
  let short = text.prefix(40)
  return "\"\(visible(String(short)))\(short.endIndex < text.endIndex ? "..." : "")\""
}

/// Returns a list of names for use in a message: the first names, and the number of remaining ones.
package func listed(_ names: [String]) -> String {
  let most = 30
  let list = names.prefix(most).map { name in
    let quoted = quoted(name)
    return String(quoted.dropFirst().dropLast())
  }.joined(separator: ", ")
  return names.count > most ? "\(list) and \(names.count - most) more" : list
}

/// Returns the text without credentials. Each invisible character is replaced by a mark, and each tab by a space.
package func visible(_ text: String) -> String {
  let text = text.withoutCredentials
  // Almost every text is printable ASCII, and looking up the category of each character is slow.
  return text.utf8.allSatisfy { 0x20..<0x7F ~= $0 } ? text : String(shapes(of: text))
}

/// Returns the visible form of each character. The result is an array, because in a string some characters would
/// combine with the previous one.
package func shapes(of text: String) -> [Character] {
  text.map { character in
    // A character longer than 64 bytes can only be a letter with many accents.
    if character.utf8.count > 64 { return "\u{FFFD}" }
    return switch character.unicodeScalars.first?.properties.generalCategory {
    case .control where character == "\t": " "
    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    // These categories are accents without a letter.
    case .nonspacingMark, .enclosingMark, .spacingMark: "\u{FFFD}"
    default: character
    }
  }
}
