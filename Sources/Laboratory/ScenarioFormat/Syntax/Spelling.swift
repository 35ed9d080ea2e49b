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
    return nearest(to: word, among: words).map { "did you mean \"\(visible($0))\"?" }
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
