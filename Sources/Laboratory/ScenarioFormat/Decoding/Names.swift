import PlainText

/// The names that a file declares, in a stable order.
struct Names: Sendable {
  let list: [String]
  private let set: Set<String>

  /// - Parameter list: the names. Only the first of equal names is kept.
  init(_ list: [String]) {
    var set: Set<String> = []
    self.list = list.filter { set.insert($0).inserted }
    self.set = set
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
