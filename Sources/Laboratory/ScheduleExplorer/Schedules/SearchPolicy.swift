import PlainText
import SeededNumbers
import VirtualTime

/// A search algorithm, which chooses the items of a run. `begin()` resets it, so that the same run can be repeated.
protocol SearchPolicy: AnyObject {
  /// Whether the policy must observe every item and every touch of a run, which takes time.
  var observesItems: Bool { get }
  func begin()
  /// - Parameter choice: the number of the choice in the run, counted from zero.
  func choose(_ choice: Int, from ready: ReadySet) -> Int
  /// Called with each item before it runs, whether or not there was a choice.
  func willRun(_ item: ReadyItem)
  func touched(_ touch: Touch)
  func end()
}

extension SearchPolicy {
  var observesItems: Bool { false }
  func begin() {}
  func willRun(_ item: ReadyItem) {}
  func touched(_ touch: Touch) {}
  func end() {}
}

/// Follows the given deviations, and otherwise takes the first item.
///
/// `BoundedSearch` enumerates such schedules as described in "Delay-Bounded Scheduling" (Emmi, Qadeer and Rakamarić,
/// POPL 2011).
final class DeviationPolicy: SearchPolicy {
  private let list: [Deviations.Deviation]
  private var next = 0
  /// The first deviation whose index did not exist at its choice, with the items of that choice.
  private(set) var impossible: (deviation: Deviations.Deviation, items: [ReadyItem])?

  init(_ list: [Deviations.Deviation] = []) { self.list = list }

  /// Whether the run followed all deviations.
  var hasFollowed: Bool { impossible == nil && next == list.count }

  func begin() {
    next = 0
    impossible = nil
  }

  func choose(_ choice: Int, from ready: ReadySet) -> Int {
    guard next < list.count, list[next].choice == choice else { return 0 }
    let deviation = list[next]
    next += 1
    if deviation.index < ready.count { return deviation.index }
    if impossible == nil { impossible = (deviation, (0..<ready.count).map { ready[$0] }) }
    return 0
  }
}

/// Takes each of the ready items with the same probability.
final class RandomPolicy: SearchPolicy {
  private let seeded: SplitMix64
  private var generator: SplitMix64

  init(_ generator: SplitMix64) {
    seeded = generator
    self.generator = generator
  }

  func begin() { generator = seeded }

  func choose(_ choice: Int, from ready: ReadySet) -> Int { generator.next(below: ready.count) }
}

/// Follows a schedule for its first choices, and then chooses at random. Its choices depend only on the numbers of ready
/// items, so that `RunTree` can follow it without a run.
final class RandomEndPolicy: SearchPolicy {
  private let start: [Int: Int]
  private let firstRandom: Int
  private let seeded: SplitMix64
  private var generator: SplitMix64

  init(_ list: [Deviations.Deviation], randomFrom choice: Int, _ generator: SplitMix64) {
    start = Dictionary(uniqueKeysWithValues: list.map { ($0.choice, $0.index) })
    firstRandom = choice
    seeded = generator
    self.generator = generator
  }

  func begin() { generator = seeded }

  func choose(_ choice: Int, from ready: ReadySet) -> Int { choose(choice, of: ready.count) }

  func choose(_ choice: Int, of count: Int) -> Int {
    guard choice < firstRandom else { return generator.next(below: count) }
    let index = start[choice, default: 0]
    return index < count ? index : 0
  }
}

/// Weights each ready item by the number of items that follow from it. As a result, all orders of independent chains
/// are equally likely.
///
/// This is the uniform random walk from "Selectively Uniform Concurrency Testing" (Zhao, Wolff, Mathur and
/// Roychoudhury, ASPLOS 2025). The weights come from the first-in, first-out run.
final class RandomWalkPolicy: SearchPolicy {
  private let sizes: [UInt64: Int]
  private let seeded: SplitMix64
  private var generator: SplitMix64

  /// - Parameter sizes: the weight of each item, keyed by its identity. A missing weight counts as 1.
  init(_ generator: SplitMix64, sizes: [UInt64: Int]) {
    self.sizes = sizes
    seeded = generator
    self.generator = generator
  }

  func begin() { generator = seeded }

  func choose(_ choice: Int, from ready: ReadySet) -> Int {
    var total = 0
    for index in 0..<ready.count { total += sizes[ready[index].identity] ?? 1 }
    var rest = generator.next(below: total)
    for index in 0..<ready.count {
      rest -= sizes[ready[index].identity] ?? 1
      if rest < 0 { return index }
    }
    return ready.count - 1
  }
}

/// Gives each causal chain a random priority. At `depth - 1` randomly selected choices, the chain with the highest
/// priority drops to the lowest priority.
///
/// A chain that has run many items in a row also drops to the lowest priority. Otherwise, a task that yields in a loop
/// until another task ends would never let that task run.
///
/// "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (Burckhardt, Kothari, Musuvathi and
/// Nagarakatte, ASPLOS 2010) describes this method for threads.
final class PCTPolicy: SearchPolicy {
  private let seed: UInt64
  private let changes: [Int]
  private var nextChange = 0
  /// The number of choices in a row after which a chain loses its priority.
  private static let maximumInARow = 100
  private var demoted: [Int: Int] = [:]
  private var demotions = 0
  private var last = (chain: 0, count: 0)

  /// - Parameter choices: the estimated number of choices in a run.
  init(_ generator: SplitMix64, depth: Int, choices: Int) {
    var generator = generator
    let changes = (0..<max(0, depth - 1)).map { _ in generator.next(below: choices) }
    self.changes = Array(Set(changes)).sorted()
    seed = generator.next()
  }

  func begin() {
    nextChange = 0
    demoted.removeAll(keepingCapacity: true)
    demotions = 0
    last = (0, 0)
  }

  func choose(_ choice: Int, from ready: ReadySet) -> Int {
    if nextChange < changes.count, changes[nextChange] == choice {
      nextChange += 1
      demote(Self.chain(of: ready[ready.greatest(priority)]))
    }
    let index = ready.greatest(priority)
    let chain = Self.chain(of: ready[index])
    last = (chain, chain == last.chain ? last.count + 1 : 1)
    if last.count == Self.maximumInARow { demote(chain) }
    return index
  }

  private func demote(_ chain: Int) {
    demotions += 1
    demoted[chain] = demotions
    last.count = 0
  }

  /// The priority of an item's chain. A chain that was demoted later has a lower priority than one that was demoted
  /// earlier.
  private func priority(_ item: ReadyItem) -> UInt64 {
    let chain = Self.chain(of: item)
    if !demoted.isEmpty, let rank = demoted[chain] { return UInt64(1 << 62 - rank) }
    return SplitMix64.scatter(seed ^ SplitMix64.scatter(UInt64(bitPattern: Int64(chain)))) | 1 << 63
  }

  /// The first item that a job schedules continues its chain. The rest of an interrupted job competes with that item, so
  /// it counts as a separate chain.
  private static func chain(of item: ReadyItem) -> Int { item.isInterrupted ? ~item.chain : item.chain }
}

/// Gives each item a random priority. This is the basic form of "Partial Order Aware Concurrency Sampling" (Yuan, Yang
/// and Gu, CAV 2018).
final class POSPolicy: SearchPolicy {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  func choose(_ choice: Int, from ready: ReadySet) -> Int {
    ready.greatest { SplitMix64.scatter(seed ^ SplitMix64.scatter(UInt64($0.number))) }
  }
}

extension ReadySet {
  /// The index of the first item with the greatest value.
  fileprivate func greatest(_ value: (ReadyItem) -> UInt64) -> Int {
    var (best, index) = (value(self[0]), 0)
    for candidate in 1..<count {
      let value = value(self[candidate])
      if value > best { (best, index) = (value, candidate) }
    }
    return index
  }
}

extension SplitMix64 {
  /// Creates the generator for one run of a search.
  init(seed: UInt64, run: Int) {
    self.init(seed: Self.scatter(seed) ^ Self.scatter(UInt64(truncatingIfNeeded: run) &+ 1))
  }

  /// Returns a number below the bound. All numbers are equally likely, except in about one of 2^40 draws.
  mutating func next(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
