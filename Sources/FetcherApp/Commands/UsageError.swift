import ScenarioFormat

/// A command line that cannot be understood: exit code 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// A word that nobody knows, with the nearest known one if there is one near.
  static func unknown(_ kind: String, _ word: String, among words: [String]) -> UsageError {
    let hint = Spelling.nearest(to: word, among: words).map { "; did you mean \"\($0)\"?" } ?? ""
    let list = hint.isEmpty && kind != "command" && kind != "flag" ? "; there are \(words.joined(separator: ", "))" : ""
    return UsageError("unknown \(kind) \"\(word)\"\(hint)\(list)")
  }
}
