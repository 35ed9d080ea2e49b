import ScenarioFormat

/// Finds what the steps of a bus result from.
enum BusCauses {
  /// For each delivery, the post of its event. Both count the steps from zero.
  ///
  /// A subscriber is given the events of a topic in the order of their posts, so that a delivery is of the earliest post that it has
  /// not had.
  static func posts(of steps: [RunEvent]) -> [Int: Int] {
    var open: [(post: Int, event: RunEvent, subscribers: [Substring])] = []
    var found: [Int: Int] = [:]
    for (number, step) in steps.enumerated() {
      switch step.kind {
      case .busPost: open.append((number, step, step[.subscriber]?.split(separator: "\n") ?? []))
      case .busDeliver, .busDrop:
        let location = open.firstIndex { post in
          post.event[.topic] == step[.topic] && post.event[.image] == step[.image]
            && post.event[.text] == step[.text] && post.subscribers.contains { $0 == step[.subscriber] ?? "" }
        }
        guard let location else { continue }
        if step.kind == .busDeliver { found[number] = open[location].post }
        open[location].subscribers.removeAll { $0 == step[.subscriber] ?? "" }
        if open[location].subscribers.isEmpty { open.remove(at: location) }
      default: break
      }
    }
    return found
  }
}
