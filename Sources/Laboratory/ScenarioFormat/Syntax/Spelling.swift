import Bytes

/// Guesses what a mistyped word was meant to be.
package enum Spelling {
  /// A longer word is no slip.
  private static let longest = 60
  /// How many letters are compared with a word: a file may declare thousands of names.
  private static let mostLetters = 4096

  /// The known word that is nearest, if it is near enough to be a slip: a third of its letters, at least one.
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

  /// "did you mean ...?", if there is a known word near. A very long word is no slip, and a single letter could be any.
  package static func hint(for word: String, among words: [String]) -> String? {
    guard word.utf8.count >= 2 else { return nil }
    return nearest(to: word, among: words).map { question($0) }
  }

  /// Offers a word instead of another: `did you mean "fetch"?`
  package static func question(_ word: String, quoting: (String) -> String = { "\"\(visible($0))\"" }) -> String {
    "did you mean \(quoting(word))?"
  }

  /// How many letters must be added, removed, changed, or swapped with their neighbour.
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

/// Names that a file declares, in an order that does not change.
struct Names: Sendable {
  let list: [String]
  private let set: Set<String>

  init(_ list: [String]) {
    self.list = list
    set = Set(list)
  }

  func contains(_ name: String) -> Bool { set.contains(name) }

  /// What to write instead of a name that is none of them: the nearest one, or a list.
  ///
  /// - Parameters:
  ///   - words: what can be written beside them.
  ///   - nothing: the advice where there is none of them.
  func advice(
    for name: String, beside words: [String] = [], orElse nothing: String? = nil, _ list: String = "there are"
  )
    -> String
  {
    if let nothing, self.list.isEmpty { return nothing }
    let all = self.list + words
    return Spelling.hint(for: name, among: all) ?? "\(list) \(listed(all))"
  }
}
