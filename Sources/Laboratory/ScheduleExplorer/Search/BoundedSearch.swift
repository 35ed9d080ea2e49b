/// Enumerates schedules by their cost: first in, first out, then all with one deviation, then all with two, and so on.
/// Each schedule extends its parent with one more deviation, after the parent's last one. So no schedule is enumerated
/// twice.
struct BoundedSearch {
  private struct Node {
    let parent: Int
    let deviation: Deviations.Deviation
    let cost: Int
    /// Whether the schedule belongs to this shard. Another shard also runs it, because later schedules extend it.
    let isOwn: Bool
  }

  /// The first-in, first-out schedule.
  static let root = -1
  /// The default limit on remembered nodes. A schedule beyond the limit is not enumerated.
  static let maximumNodes = 4_000_000

  let bound: Int
  private let maximumNodes: Int
  private let shard: Shard
  private var nodes: [Node] = []
  private var levels: [[Int]] = [[]]
  /// Schedules with one deviation are divided among shards. If there are few of them, every shard runs all of them, and
  /// the schedules with two deviations are divided, so that the parts are even.
  private static let fewPerShard = 64
  private var dealt = 0
  private var dealtPairs = 0
  private var dealsPairs = false
  /// The first level that has not run; all lower levels are done.
  private(set) var cost = 1
  /// Whether the bound has excluded any schedule.
  private var isCut = false
  /// The minimum cost of the schedules that the node limit excluded.
  private var leastForgotten = Int.max
  /// Whether no schedule has been excluded.
  var isEverything: Bool { !isCut && leastForgotten == .max }

  init(bound: Int, shard: Shard = .whole, maximumNodes: Int = Self.maximumNodes) {
    self.bound = bound
    self.shard = shard
    self.maximumNodes = maximumNodes
  }

  /// Whether every schedule up to this cost is within the node limit. Schedules that follow from an excluded one cost
  /// more.
  func remembersAll(upTo cost: Int) -> Bool { cost < leastForgotten }

  /// The schedules of the next nonempty level. The level is complete once the schedules of the previous levels have
  /// been expanded.
  mutating func nextLevel() -> [Int]? {
    while cost < levels.count {
      defer { cost += 1 }
      guard levels[cost].isEmpty else {
        defer { levels[cost] = [] }
        return levels[cost]
      }
    }
    return nil
  }

  /// Whether this shard counts the schedule.
  func isOwn(_ node: Int) -> Bool { node == Self.root ? shard.number == 1 : nodes[node].isOwn }

  func schedule(of node: Int) -> [Deviations.Deviation] {
    var (list, node) = ([Deviations.Deviation](), node)
    while node != Self.root {
      list.append(nodes[node].deviation)
      node = nodes[node].parent
    }
    return list.reversed()
  }

  /// Records that a schedule has run, with the number of items at each of its choices.
  mutating func expand(_ node: Int, counts: [Int]) {
    let isRoot = node == Self.root
    let (cost, first) = isRoot ? (0, 0) : (nodes[node].cost, nodes[node].deviation.choice + 1)
    guard first < counts.count else { return }
    if isRoot, shard != .whole {
      let children = counts.reduce(0) { $0 + min($1 - 1, bound) }
      dealsPairs = children < Self.fewPerShard * shard.count
    }
    let isPair = !isRoot && nodes[node].parent == Self.root
    let isDealt = isRoot || dealsPairs && isPair
    for choice in first..<counts.count where counts[choice] > 1 {
      for index in 1..<counts[choice] {
        guard cost + index <= bound else {
          isCut = true
          break
        }
        var isOwn = true
        if isDealt {
          isOwn = shard.takes(isPair ? dealtPairs : dealt)
          if isPair { dealtPairs += 1 } else { dealt += 1 }
          guard isOwn || isRoot && dealsPairs else { continue }
        }
        guard nodes.count < maximumNodes else {
          leastForgotten = min(leastForgotten, cost + index)
          continue
        }
        while levels.count <= cost + index { levels.append([]) }
        levels[cost + index].append(nodes.count)
        nodes.append(
          Node(parent: node, deviation: .init(choice: choice, index: index), cost: cost + index, isOwn: isOwn))
      }
    }
  }
}
