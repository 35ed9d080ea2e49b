/// The search algorithm.
public enum Search: Hashable, Sendable, CustomStringConvertible {
  /// Exhaustive, for a certain result about a small program. Of all schedules that differ only in the order of
  /// independent items, one runs. Items declare their accesses with `VirtualRuntime.touches(reading:writing:)`. Items
  /// without a declaration and jobs of tasks depend on all others. It is not divided among shards: the first one runs
  /// it.
  case exhaustive
  /// First in, first out only.
  case fifo
  /// Every schedule with at most this many deviations from first in, first out. Running the item at index 3 of the
  /// ready set, past three others, counts as three.
  case bounded(Int)
  /// Random choices.
  case random
  /// Random choices, weighted by the number of items that follow from an item. Then the orders of independent chains
  /// are equally likely, whatever the length of the chains.
  case walk
  /// Probabilistic concurrency testing: causal chains have random priorities, which change at `depth - 1` random
  /// choices.
  case pct(depth: Int)
  /// Partial order sampling: each item has a random priority.
  case pos
  /// First in, first out, then bounded with as many deviations as fit one third of the budget, then random and PCT of
  /// depth 2 and 3 alternately.
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
  /// The whole search.
  public static let whole = Shard(number: 1, of: 1)

  package let number: Int
  package let count: Int

  private init(number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Parses `2/4`. Returns nil for other text.
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
  /// Parses `2/4`, and traps for other text.
  public init(stringLiteral value: String) {
    guard let shard = Shard(value) else { fatalError("A shard has the form 2/4, not \(value).") }
    self = shard
  }
}
