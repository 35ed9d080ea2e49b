/// Guesses what a mistyped word was meant to be.
package enum Spelling {
  /// The known word that is nearest, if it is near enough to be a slip: a third of its letters, at least one.
  package static func nearest(to word: String, among words: [String]) -> String? {
    let ranked = words.map { (word: $0, distance: distance(word.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    let letters = best.word.filter { $0 != "-" }.count
    return best.distance <= max(1, letters / 3 + (letters > 4 ? 1 : 0)) ? best.word : nil
  }

  /// "did you mean ...?", if there is a known word near. A very long word is no slip, and a single letter could be any.
  package static func hint(for word: String, among words: [String]) -> String? {
    guard (2...60).contains(word.utf8.count) else { return nil }
    return nearest(to: word, among: words).map { "did you mean \"\($0)\"?" }
  }

  /// How many letters must be added, removed, changed, or swapped with their neighbour.
  static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a)
    let b = Array(b)
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
