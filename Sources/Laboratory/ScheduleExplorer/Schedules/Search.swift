/// How a search chooses its schedules.
public enum Search: Hashable, Sendable, CustomStringConvertible {
  /// Everything, to end with a fact about a small program: of all schedules that differ only in the order of independent
  /// items, one runs. Items are independent by what they state with `VirtualRuntime.touches(reading:writing:)`; those that state
  /// nothing, and jobs of tasks, depend on all others. It is not divided among shards: the first one runs it.
  case exhaustive
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
  /// 2 and 3 alternately.
  case mixed

  /// Its name, as in `pct(3)`.
  public var description: String {
    switch self {
    case .exhaustive: "exhaustive"
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

/// One part of a search that is divided among several processes: `2/4` is the second of four.
public struct Shard: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  /// The only one.
  public static let whole = Shard(number: 1, of: 1)

  package let number: Int
  package let count: Int

  private init(number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Reads `2/4`; nil for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count else {
      return nil
    }
    self.init(number: number, of: count)
  }

  /// The number and the count, as in `2/4`.
  public var description: String { "\(number)/\(count)" }

  func takes(_ index: Int) -> Bool { index % count == number - 1 }
}

extension Shard: ExpressibleByStringLiteral {
  /// Reads `2/4`, and traps for anything else.
  public init(stringLiteral value: String) {
    guard let shard = Shard(value) else { fatalError("A shard is written as 2/4, not as \(value).") }
    self = shard
  }
}
