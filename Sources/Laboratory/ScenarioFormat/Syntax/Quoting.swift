import Bytes

/// The text in quotes for a message: one line, not too long, without credentials and control characters.
package func quoted(_ text: String) -> String {
  // Before the cut, which may lose the end of a password.
  let text = text.withoutCredentials
  let short = text.prefix(40)
  return "\"\(visible(String(short)))\(short.endIndex < text.endIndex ? "..." : "")\""
}

/// Names for a message, one after the other: the first ones, and how many more there are.
package func listed(_ names: [String]) -> String {
  let most = 30
  let list = names.prefix(most).map { name in
    let quoted = quoted(name)
    return String(quoted.dropFirst().dropLast())
  }.joined(separator: ", ")
  return names.count > most ? "\(list) and \(names.count - most) more" : list
}

/// The text without credentials, with a mark instead of each character that has no shape, and a space instead of a tab.
package func visible(_ text: String) -> String { String(shapes(of: text.withoutCredentials)) }

/// The same, character by character: in a string, some of them would join what comes before.
package func shapes(of text: String) -> [Character] {
  text.map { character in
    // A letter below hundreds of accents.
    if character.utf8.count > 64 { return "\u{FFFD}" }
    return switch character.unicodeScalars.first?.properties.generalCategory {
    case .control where character == "\t": " "
    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    // An accent without a letter below it.
    case .nonspacingMark, .enclosingMark, .spacingMark: "\u{FFFD}"
    default: character
    }
  }
}
