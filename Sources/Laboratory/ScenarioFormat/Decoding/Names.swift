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
