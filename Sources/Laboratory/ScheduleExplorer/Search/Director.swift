import Bytes
import VirtualTime

/// The policy of all searches: chooses by a rule, and writes down where it deviated.
///
/// Unchecked because a policy is called on one thread at a time, and looked at between runs.
final class Director: SchedulePolicy, @unchecked Sendable {
  /// How the next run chooses.
  enum Rule {
    /// What is written, then the first.
    case written([Deviations.Deviation])
    case random(SplitMix64)
    case walk(SplitMix64, [UInt64: Int])
    /// Chains by priority; at these choices the chain that would be next becomes the last.
    case pct(seed: UInt64, changes: [Int])
    case pos(seed: UInt64)
    /// What is written for the first choices, then at random.
    case ends([Deviations.Deviation], after: Int, SplitMix64)
    /// The first that an order allows. Needs a recorder, which says what has run.
    case ordered(Order)
    /// One of each class of schedules.
    case classes(SleepSets)
  }

  /// Which items run before others, and which of the rest are preferred.
  struct Order {
    struct Pair {
      let before: UInt64
      let after: UInt64
    }

    enum Preference {
      case none
      case first(Set<UInt64>)
      case last(Set<UInt64>)
    }

    var pairs: [Pair]
    var preference = Preference.none
  }

  private var rule = Rule.written([])
  private(set) var deviations: [Deviations.Deviation] = []
  /// How many items each choice had.
  private(set) var counts: [Int] = []
  /// Of the items that were chosen. Only where it is asked for, as is what follows.
  private(set) var checksum: UInt64 = 0
  var computesChecksum = false
  /// The items of each deviation up to the one that was chosen.
  private(set) var overtaken: [[ReadyItem]] = []
  /// A written deviation that its choice did not have.
  private(set) var impossible: (deviation: Deviations.Deviation, items: [ReadyItem])?
  /// Whether all written deviations were met as written.
  var hasFollowed: Bool {
    guard case .written(let list) = rule else { return true }
    return impossible == nil && next == list.count
  }

  /// Chains that PCT has put last, with the time when.
  private var last: [(chain: Int, rank: Int)] = []
  /// The next one of those written, or of the changes.
  private var next = 0
  /// In which order items were chosen or ran without a choice, for a rule that follows an order. An item that joined a queue was
  /// chosen before it runs.
  private(set) var positions: [UInt64: Int] = [:]

  func begin(_ rule: Rule) {
    self.rule = rule
    deviations.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    last.removeAll(keepingCapacity: true)
    overtaken = []
    positions.removeAll(keepingCapacity: true)
    impossible = nil
    checksum = 0
    next = 0
    if case .classes(let sets) = rule { sets.begin() }
  }

  /// An item begins, whether there was a choice or not.
  func willRun(_ item: ReadyItem) {
    switch rule {
    case .ordered: begin(item)
    case .classes(let sets): sets.willRun(item)
    default: break
    }
  }

  /// The item that runs does something that makes a difference to others.
  func touched(_ touch: Touch) { if case .classes(let sets) = rule { sets.touched(touch) } }

  func choose(from ready: ReadySet) -> Int {
    let choice = counts.count
    let index = pick(choice, ready)
    counts.append(ready.count)
    if index > 0 { deviations.append(Deviations.Deviation(choice: choice, index: index)) }
    if computesChecksum {
      checksum = SplitMix64.scatter(checksum ^ ready[index].identity)
      if index > 0 { overtaken.append((0...index).map { ready[$0] }) }
    }
    return index
  }

  private func pick(_ choice: Int, _ ready: ReadySet) -> Int {
    switch rule {
    case .written(let list): return follow(list, choice, ready)
    case .ends(let list, let after, var generator):
      guard choice >= after else { return follow(list, choice, ready) }
      let index = generator.next(below: ready.count)
      rule = .ends(list, after: after, generator)
      return index
    case .ordered(let order):
      let index = first(order, ready)
      begin(ready[index])
      return index
    case .classes(let sets): return sets.choose(from: ready)
    case .random(var generator):
      let index = generator.next(below: ready.count)
      rule = .random(generator)
      return index
    case .walk(var generator, let sizes):
      let index = weigh(ready, sizes, &generator)
      rule = .walk(generator, sizes)
      return index
    case .pct(let seed, let changes):
      if next < changes.count, changes[next] == choice {
        next += 1
        let chain = ready[greatest(ready) { priority($0.chain, seed) }].chain
        last.removeAll { $0.chain == chain }
        last.append((chain, next))
      }
      return greatest(ready) { priority($0.chain, seed) }
    case .pos(let seed):
      return greatest(ready) { SplitMix64.scatter(seed ^ SplitMix64.scatter(UInt64($0.number))) }
    }
  }

  private func follow(_ list: [Deviations.Deviation], _ choice: Int, _ ready: ReadySet) -> Int {
    guard next < list.count, list[next].choice == choice else { return 0 }
    next += 1
    let deviation = list[next - 1]
    if deviation.index < ready.count { return deviation.index }
    if impossible == nil { impossible = (deviation, (0..<ready.count).map { ready[$0] }) }
    return 0
  }

  private func begin(_ item: ReadyItem) {
    if positions[item.identity] == nil { positions[item.identity] = positions.count }
  }

  /// Where nothing is allowed the order cannot be kept, and the first runs.
  private func first(_ order: Order, _ ready: ReadySet) -> Int {
    let allowed = (0..<ready.count).filter { index in
      let identity = ready[index].identity
      return !order.pairs.contains { $0.after == identity && positions[$0.before] == nil }
    }
    let preferred =
      switch order.preference {
      case .none: allowed.first
      case .first(let items): allowed.first { items.contains(ready[$0].identity) }
      case .last(let items): allowed.first { !items.contains(ready[$0].identity) }
      }
    return preferred ?? allowed.first ?? 0
  }

  /// The later a chain was put last, the later it comes.
  private func priority(_ chain: Int, _ seed: UInt64) -> UInt64 {
    if let demotion = last.first(where: { $0.chain == chain }) { return UInt64(1000 - min(demotion.rank, 999)) }
    return SplitMix64.scatter(seed ^ SplitMix64.scatter(UInt64(chain))) | 1 << 63
  }

  private func greatest(_ ready: ReadySet, _ value: (ReadyItem) -> UInt64) -> Int {
    var (best, index) = (value(ready[0]), 0)
    for candidate in 1..<ready.count {
      let value = value(ready[candidate])
      if value > best { (best, index) = (value, candidate) }
    }
    return index
  }

  private func weigh(_ ready: ReadySet, _ sizes: [UInt64: Int], _ generator: inout SplitMix64) -> Int {
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
