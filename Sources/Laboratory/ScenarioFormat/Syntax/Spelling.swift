import Bytes

/// Suggests known words for mistyped ones.
package enum Spelling {
  /// The maximum length, in bytes, of a word that can be a typo.
  private static let longest = 60
  /// The maximum number of letters to compare, because a file may declare thousands of names.
  private static let mostLetters = 4096

  /// Returns the most similar known word, if at most one letter or about a third of its letters differ.
  package static func nearest(to word: String, among words: [String]) -> String? {
    guard word.utf8.count <= longest else { return nil }
    let letters = Array(word.lowercased().unicodeScalars)
    var budget = mostLetters
    var best: (word: String, distance: Int)?
    for known in words where known.utf8.count <= 2 * longest {
      budget -= known.utf8.count
      guard budget >= 0 else { break }
      let found = distance(letters, Array(known.lowercased().unicodeScalars))
      if found < best?.distance ?? Int.max { best = (known, found) }
    }
    guard let best else { return nil }
    let count = best.word.filter { $0 != "-" }.count
    return best.distance <= max(1, count / 3 + (count > 4 ? 1 : 0)) ? best.word : nil
  }

  /// Returns "did you mean ...?" if there is a similar known word. Returns nil for a very long word, which is not a
  /// typo, and for a single letter, which could stand for any word.
  package static func hint(for word: String, among words: [String]) -> String? {
    guard word.utf8.count >= 2 else { return nil }
    return nearest(to: word, among: words).map { question($0) }
  }

  /// Returns a suggestion such as `did you mean "fetch"?`.
  package static func question(_ word: String, quoting: (String) -> String = { "\"\(visible($0))\"" }) -> String {
    "did you mean \(quoting(word))?"
  }

  /// Returns the number of letters to add, remove, change, or swap with a neighbor to turn one word into the other.
  static func distance(_ a: String, _ b: String) -> Int { distance(Array(a.unicodeScalars), Array(b.unicodeScalars)) }

  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var older: [Int] = []
    var old = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      row.reserveCapacity(b.count + 1)
      for j in b.indices {
        var best = min(row[j] + 1, old[j + 1] + 1, old[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, older[j - 1] + 1) }
        row.append(best)
      }
      (older, old) = (old, row)
    }
    return old[b.count]
  }
}

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

/// The names that a file declares, in a stable order.
struct Names: Sendable {
  let list: [String]
  private let set: Set<String>

  init(_ list: [String]) {
    self.list = list
    set = Set(list)
  }

  func contains(_ name: String) -> Bool { set.contains(name) }

  /// Returns the advice for an unknown name: the most similar known name, or a list of the known names.
  ///
  /// - Parameters:
  ///   - words: additional words that are also allowed.
  ///   - nothing: the advice if no name is declared.
  ///   - list: the words before the known names.
  ///   - only: the words before the known name if there is only one.
  func advice(
    for name: String, beside words: [String] = [], orElse nothing: String? = nil, _ list: String = "choose from",
    only: String = "write"
  ) -> String {
    if let nothing, self.list.isEmpty { return nothing }
    let all = self.list + words
    return Spelling.hint(for: name, among: all)
      ?? (all.count == 1 ? "\(only) \(quoted(all[0]))" : "\(list) \(listed(all))")
  }
}
