/// What some keys of one object must be together.
struct Rule<Owner: Sendable>: Sendable {
  private let keys: [String]
  private let run: @Sendable (Owner, JSONNode, inout Reading) -> Void

  /// - Parameters:
  ///   - keys: on what it depends. It is made whatever else is wrong with the object, as all problems are reported in one pass.
  ///   - run: complains where they do not go together.
  init(_ keys: String..., run: @escaping @Sendable (Owner, JSONNode, inout Reading) -> Void) {
    self.keys = keys
    self.run = run
  }

  /// - Parameter damaged: the keys that were complained about already.
  func run(_ owner: Owner, _ node: JSONNode, except damaged: Set<String>, _ reading: inout Reading) {
    if damaged.isDisjoint(with: keys) { run(owner, node, &reading) }
  }
}
