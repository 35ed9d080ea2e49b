/// Suggests known words for mistyped ones.
package enum Spelling {
  /// The maximum length, in bytes, of a word that can be a typo.
  private static let longest = 60
  /// The maximum number of letters to compare, because a file may declare thousands of names.
  private static let maximumLetters = 4096

  /// Returns the most similar known word, if at most one letter or about a third of its letters differ.
  package static func nearest(to word: String, among words: [String]) -> String? {
    guard word.utf8.count <= longest else { return nil }
    let letters = Array(word.lowercased().unicodeScalars)
    var budget = maximumLetters
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
