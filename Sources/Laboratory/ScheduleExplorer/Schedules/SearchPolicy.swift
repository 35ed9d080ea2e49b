import Bytes
import VirtualTime

/// A search algorithm: chooses the items of one run. `begin()` resets it, so that the same run can be repeated.
protocol SearchPolicy: AnyObject {
  /// Whether the policy needs every item and every touch of a run, which costs time.
  var observesItems: Bool { get }
  func begin()
  /// - Parameter choice: the number of the choice in the run, from zero.
  func choose(_ choice: Int, from ready: ReadySet) -> Int
  /// Called with each item before it runs, with or without a choice.
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

/// Takes the given deviations, and otherwise the first item.
///
/// `BoundedSearch` enumerates such schedules as in "Delay-Bounded Scheduling" (Emmi, Qadeer and Rakamarić, POPL 2011).
final class DeviationPolicy: SearchPolicy {
  private let list: [Deviations.Deviation]
  private var next = 0
  /// The first deviation whose index its choice did not have, with the items of that choice.
  private(set) var impossible: (deviation: Deviations.Deviation, items: [ReadyItem])?

  init(_ list: [Deviations.Deviation] = []) { self.list = list }

  /// Whether the run had all the deviations.
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

/// Takes each ready item with the same probability.
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

/// Follows a schedule for its first choices, then chooses at random.
final class RandomEndPolicy: SearchPolicy {
  private let start: DeviationPolicy
  private let end: RandomPolicy
  private let firstRandom: Int

  init(_ list: [Deviations.Deviation], randomFrom choice: Int, _ generator: SplitMix64) {
    start = DeviationPolicy(list)
    end = RandomPolicy(generator)
    firstRandom = choice
  }

  func begin() {
    start.begin()
    end.begin()
  }

  func choose(_ choice: Int, from ready: ReadySet) -> Int {
    choice < firstRandom ? start.choose(choice, from: ready) : end.choose(choice, from: ready)
  }
}

/// Weights each ready item by the number of items that follow from it, so that all orders of independent chains are
/// equally likely.
///
/// This is the uniform random walk of "Selectively Uniform Concurrency Testing" (Zhao, Wolff, Mathur and Roychoudhury,
/// ASPLOS 2025). The weights are those of the run first in, first out.
final class WalkPolicy: SearchPolicy {
  private let sizes: [UInt64: Int]
  private let seeded: SplitMix64
  private var generator: SplitMix64

  /// - Parameter sizes: the weights by the identities of the items; a missing one counts as 1.
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

/// Gives each causal chain a random priority. At `depth - 1` random choices the chain with the highest priority
/// becomes the last.
///
/// "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (Burckhardt, Kothari, Musuvathi and
/// Nagarakatte, ASPLOS 2010) does this with threads.
final class PCTPolicy: SearchPolicy {
  private let seed: UInt64
  private let changes: [Int]
  private var nextChange = 0
  private var demoted: [(chain: Int, rank: Int)] = []

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
  }

  func choose(_ choice: Int, from ready: ReadySet) -> Int {
    if nextChange < changes.count, changes[nextChange] == choice {
      nextChange += 1
      let chain = ready[ready.greatest { priority($0.chain) }].chain
      demoted.removeAll { $0.chain == chain }
      demoted.append((chain, nextChange))
    }
    return ready.greatest { priority($0.chain) }
  }

  /// A chain that was demoted later has a lower priority.
  private func priority(_ chain: Int) -> UInt64 {
    if let demotion = demoted.first(where: { $0.chain == chain }) { return UInt64(1000 - min(demotion.rank, 999)) }
    return SplitMix64.scatter(seed ^ SplitMix64.scatter(UInt64(chain))) | 1 << 63
  }
}

/// Gives each item a random priority: the basic form of "Partial Order Aware Concurrency Sampling" (Yuan, Yang and Gu,
/// CAV 2018).
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
  /// The generator of one run of a search.
  init(seed: UInt64, run: Int) {
    self.init(seed: Self.scatter(seed) ^ Self.scatter(UInt64(truncatingIfNeeded: run) &+ 1))
  }

  /// A number below the bound. The numbers are equally likely, except for one draw in about 2^40.
  mutating func next(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
