/// The runs so far, as a tree of their choices. The program is deterministic, so a run with the same choices has the same
/// end.
struct RunTree {
  private struct Node {
    /// The number of ready items, or zero at the end of a run.
    let count: Int
    /// Whether the run that ends here fails.
    let fails: Bool
    /// The nodes that follow, keyed by the index of the chosen item.
    var next: [Int: Int] = [:]
  }

  /// The nodes. The first one is the first choice of every run.
  private var nodes: [Node] = []

  /// Returns whether the run with the choices of the policy fails, or nil if that run is unknown.
  func fails(_ policy: RandomEndPolicy) -> Bool? {
    policy.begin()
    guard var node = nodes.first else { return nil }
    var choice = 0
    while node.count > 0 {
      guard let next = node.next[policy.choose(choice, of: node.count)] else { return nil }
      node = nodes[next]
      choice += 1
    }
    return node.fails
  }

  /// Adds a run.
  ///
  /// - Parameters:
  ///   - counts: the number of ready items at each choice.
  ///   - deviations: the choices of an item other than the first.
  mutating func add(_ counts: [Int], _ deviations: [Deviations.Deviation], fails: Bool) {
    let indices = Dictionary(uniqueKeysWithValues: deviations.map { ($0.choice, $0.index) })
    var parent: (node: Int, index: Int)?
    for (choice, count) in (counts + [0]).enumerated() {
      let known = parent.map { nodes[$0.node].next[$0.index] } ?? (nodes.isEmpty ? nil : 0)
      if known == nil {
        if let parent { nodes[parent.node].next[parent.index] = nodes.count }
        nodes.append(Node(count: count, fails: fails))
      }
      parent = (known ?? nodes.count - 1, indices[choice, default: 0])
    }
  }
}
