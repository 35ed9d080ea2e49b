/// How a search chooses its schedules.
public enum Search: Hashable, Sendable, CustomStringConvertible {
  /// Only first in, first out.
  case fifo
  /// Every schedule with at most so many deviations from first in, first out. Running the item at index 3 of the ready
  /// set, past three others, counts as three.
  case bounded(Int)
  /// Each choice at random.
  case random
  /// Each choice at random, weighted by how much follows from an item: the orders of independent chains are then equally
  /// likely, however long the chains are.
  case walk
  /// Probabilistic concurrency testing: causal chains have random priorities, which change at `depth - 1` random choices.
  case pct(depth: Int)
  /// Partial order sampling: each item has a random priority.
  case pos
  /// First in, first out, then bounded with as many deviations as fit a third of the budget, then random and PCT of depth
  /// 2 and 3 in turns.
  case mixed

  /// Its name, as in `pct(3)`.
  public var description: String {
    switch self {
    case .fifo: "fifo"
    case .bounded(let bound): "bounded(\(bound))"
    case .random: "random"
    case .walk: "walk"
    case .pct(let depth): "pct(\(depth))"
    case .pos: "pos"
    case .mixed: "mixed"
    }
  }
}
