/// A search algorithm.
public enum Search: Hashable, Sendable, CustomStringConvertible {
  /// Exhaustive search, for an exact result about a small program. If schedules differ only in the order of independent
  /// items, only one of them runs. Items declare their accesses with `VirtualRuntime.touches(reading:writing:)`. Items
  /// without a declaration, and jobs of tasks, depend on all other items. This search is not divided among shards: the
  /// first shard runs all of it.
  case exhaustive
  /// Only the first-in, first-out schedule.
  case fifo
  /// Every schedule with at most this many deviations from first in, first out. Running the item at index 3 of the
  /// ready set, ahead of three others, counts as three deviations.
  case bounded(Int)
  /// Random choices.
  case random
  /// Random choices, weighted by the number of items that follow from each item. All orders of independent chains are
  /// then equally likely, regardless of the length of the chains.
  case walk
  /// Probabilistic concurrency testing: causal chains have random priorities, which change at `depth - 1` randomly
  /// selected choices.
  case pct(depth: Int)
  /// Partial order sampling: each item has a random priority.
  case pos
  /// All algorithms in turns. The first-in, first-out schedule runs first. Rounds follow: the next schedule of the bounded
  /// search, and one each of PCT of depths 3 and 2, partial order sampling, the weighted walk and random choices. If the
  /// bounded search fits in a third of the budget, it is complete at the end.
  case mixed

  /// The algorithm's name, as in `pct(3)`.
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

/// One part of a search that is divided among several processes. `2/4` is the second of four parts.
public struct Shard: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible {
  /// A single shard that covers the whole search.
  public static let whole = Shard(number: 1, of: 1)

  package let number: Int
  package let count: Int

  private init(number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Parses text such as `2/4`. Returns nil for any other text.
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
  /// Parses text such as `2/4`, and traps for any other text.
  public init(stringLiteral value: String) {
    guard let shard = Shard(value) else { fatalError("A shard has the form 2/4, not \(value).") }
    self = shard
  }
}
