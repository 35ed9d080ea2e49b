import PlainText
import SeededNumbers
import VirtualTime

/// Explains a failing schedule: the decisive order, the irrelevant items, and the point of no return.
struct Explainer {
  private static let maximumGroups = 20
  /// The maximum number of pairs that an order token may need before it is reduced.
  private static let maximumPairs = 200
  /// Other deviations, or code inside an item, may lead to another result.
  private static let scope = "This is based on one comparison, with a schedule that swaps these two items."

  let runner: ProgramRunner
  let list: [Deviations.Deviation]
  let finding: Finding
  let steps: [RecordedStep]
  /// The unfinished work that the program is awaiting.
  let waiting: [String]
  /// For each deviation, the ready items up to and including the chosen one.
  private let overtaken: [[ReadyItem]]
  private let choices: Int
  /// The time for the explanation. An explanation that has no more time is left out.
  private let budget: Budget

  /// - Parameter recorder: the recorder of the run that the runner has just finished.
  init(
    _ runner: ProgramRunner, _ list: [Deviations.Deviation], _ finding: Finding, _ recorder: Recorder, _ budget: Budget
  ) {
    self.budget = budget
    self.runner = runner
    self.list = list
    self.finding = finding
    steps = recorder.steps.located
    waiting = recorder.waiting.located
    overtaken = runner.recording.overtaken
    choices = runner.recording.counts.count
  }

  /// Whether the time for the explanation is over.
  var isOver: Bool {
    var budget = budget
    return !budget.take()
  }

  /// Whether the run fails in the same way when it keeps this order.
  private func fails(_ order: ItemOrder) -> Bool {
    if isOver { return false }
    let policy = OrderPolicy(order)
    guard runner.run(policy).finding == finding else { return false }
    let positions = policy.positions
    return order.pairs.allSatisfy { pair in
      positions[pair.before].map { $0 < positions[pair.after, default: .max] } ?? false
    }
  }

  // MARK: The decisive order

  /// Compares the schedule with a variant whose last deviation is smaller by one. In that variant, the last overtaken
  /// item runs first again.
  ///
  /// - Parameter numbered: whether an item gets its number in the table if another item has the same name.
  func flippedPair(numbered: Bool) -> String? {
    guard let changed = Deviations(list).withLastPairFlipped, let items = overtaken.last else { return nil }
    guard runner.run(DeviationPolicy(changed.list)).finding == nil else { return nil }
    return Self.sentence(about: items, in: steps, numbered: numbered)
  }

  /// The sentence about the last two of these ready items, of which the last one was chosen.
  static func sentence(about items: [ReadyItem], in steps: [RecordedStep], numbered: Bool = false) -> String? {
    guard let late = items.dropLast().last, let early = items.last else { return nil }
    func position(of item: ReadyItem) -> Int { steps.firstIndex { $0.item.identity == item.identity } ?? .max }
    let names = steps.names(of: late, early, numbered: numbered)
    // An item that joins a queue runs later, possibly after an item that was passed over for it.
    let joins = position(of: early) >= position(of: late)
    let first = names.1 + (joins ? " joins its queue" : " runs")
    return "Fails if \(first) before \(names.0); passes if after.\n\(scope)"
  }

  /// The items that ``flippedPair`` names, or an empty array if the last deviation overtakes no item.
  var lastPair: [ReadyItem] { overtaken.last.map { Array($0.suffix(2)) } ?? [] }

  /// A small set of pairs that still makes the run fail. No pair can be omitted. Empty if the first-in, first-out
  /// schedule fails, or if the schedule has too many pairs.
  ///
  /// - Parameter runs: the maximum number of pairs to try.
  func decidingPairs(runs: Int) -> [ItemOrder.Pair] {
    var pairs = overtaken.flatMap { items in
      items.dropLast().map { ItemOrder.Pair(before: items[items.count - 1].identity, after: $0.identity) }
    }
    guard pairs.count <= Self.maximumPairs, fails(ItemOrder(pairs: pairs)) else { return [] }
    for index in pairs.indices.suffix(runs).reversed() where pairs.count > 1 {
      var fewer = pairs
      fewer.remove(at: index)
      if fails(ItemOrder(pairs: fewer)) { pairs = fewer }
    }
    return pairs
  }

  func token(_ pairs: [ItemOrder.Pair]) -> Token? {
    guard !pairs.isEmpty else { return nil }
    return Token(pairs.map { OrderConstraint(before: name($0.before), after: name($0.after)) })
  }

  private func name(_ identity: UInt64) -> ItemName {
    let step = steps.first { $0.item.identity == identity }
    return ItemName(identity, step, step?.item ?? overtaken.joined().first { $0.identity == identity })
  }

  // MARK: Irrelevant items

  /// The identities of the items that neither lead to a pair nor follow from one. Whether these items run as late or as
  /// early as possible, the run must fail in the same way.
  func bystanders(_ pairs: [ItemOrder.Pair]) -> Set<UInt64> {
    guard !pairs.isEmpty else { return [] }
    let involved = involved(pairs)
    var groups: [Int: Set<UInt64>] = [:]
    var rootOf: [Int: Int] = [:]
    for step in steps.dropLast() where !involved.contains(step.item.number) {
      let root = step.item.cause.flatMap { rootOf[$0] } ?? step.item.number
      rootOf[step.item.number] = root
      groups[root, default: []].insert(step.item.identity)
    }
    let isApart = { (items: Set<UInt64>) in
      fails(ItemOrder(pairs: pairs, preference: .last(items)))
        && fails(ItemOrder(pairs: pairs, preference: .first(items)))
    }
    let all = Set(groups.values.joined())
    if all.isEmpty || isApart(all) { return all }
    var apart: Set<UInt64> = []
    for root in groups.keys.sorted().prefix(Self.maximumGroups) {
      let more = apart.union(groups[root] ?? [])
      if isApart(more) { apart = more }
    }
    return apart
  }

  /// The numbers of the items in the pairs, and of their causes and effects.
  private func involved(_ pairs: [ItemOrder.Pair]) -> Set<Int> {
    let ends = Set(pairs.flatMap { [$0.before, $0.after] })
    var (involved, following): (Set<Int>, Set<Int>) = ([], [])
    for step in steps where ends.contains(step.item.identity) || step.item.cause.map(following.contains) == true {
      following.insert(step.item.number)
    }
    for step in steps.reversed() where ends.contains(step.item.identity) || involved.contains(step.item.number) {
      involved.insert(step.item.number)
      if let cause = step.item.cause { involved.insert(cause) }
    }
    return involved.union(following)
  }

  // MARK: The point of no return

  /// From each choice of the run, completes the run at random. If trying all choices would cost too much, it tries only
  /// some. To select them, it repeatedly halves the interval in which the share of failing completions changes most.
  ///
  /// - Parameters:
  ///   - ends: the maximum number of completions from each choice.
  ///   - budget: the maximum total number of items.
  func pointOfNoReturn(seed: UInt64, ends: Int, budget: Int) -> PointOfNoReturn? {
    let runs = budget / max(steps.count, 1)
    let count = min(ends, max(runs / (choices + 1), PointOfNoReturn.minimumEnds))
    guard choices > 0, runs / count >= PointOfNoReturn.minimumShares else { return nil }
    var shares: [Int: Double] = [:]
    var tree = RunTree()
    for choice in [0, choices] { shares[choice] = failingShare(from: choice, seed, ends: count, &tree) }
    while shares.count < min(runs / count, choices + 1), !isOver {
      let known = shares.keys.sorted()
      let gaps = zip(known, known.dropFirst()).filter { $1 - $0 > 1 }
      let steepest = gaps.max { one, other in
        abs(shares[one.1, default: 0] - shares[one.0, default: 0])
          < abs(shares[other.1, default: 0] - shares[other.0, default: 0])
      }
      guard let steepest else { break }
      let middle = (steepest.0 + steepest.1) / 2
      shares[middle] = failingShare(from: middle, seed, ends: count, &tree)
    }
    // The last share is incomplete if the time has ended.
    if isOver { return nil }
    return PointOfNoReturn(
      ends: count,
      shares: shares.keys.sorted().map { choice in
        // The choice of an item that joins a queue is not a separate step.
        let step = steps.firstIndex { $0.choices >= choice } ?? steps.count - 1
        return PointOfNoReturn.Share(
          step: choice == 0 ? 0 : step + 1, name: choice == 0 ? "" : steps[step].name,
          failing: shares[choice, default: 0])
      })
  }

  /// - Parameter tree: the runs so far. A completion that is one of them does not run again.
  private func failingShare(from choice: Int, _ seed: UInt64, ends: Int, _ tree: inout RunTree) -> Double {
    let failing = (0..<ends).count { end in
      if isOver { return false }
      let generator = SplitMix64(seed: seed, run: choice * ends + end)
      let policy = RandomEndPolicy(list, randomFrom: choice, generator)
      if let fails = tree.fails(policy) { return fails }
      let fails = runner.run(policy).finding != nil
      tree.add(runner.recording.counts, runner.recording.deviations, fails: fails)
      return fails
    }
    return Double(failing) / Double(ends)
  }
}

extension ItemName {
  /// - Parameters:
  ///   - step: the item as it ran, or nil if it did not run.
  ///   - item: the item, or nil if it is unknown.
  init(_ identity: UInt64, _ step: RecordedStep?, _ item: ReadyItem?) {
    self.init(
      text: step?.text ?? item.map { "\($0.kind)" } ?? "item", scheduler: item?.scheduler.label,
      identity: UInt32(truncatingIfNeeded: identity))
  }
}

/// The point at which the failure becomes certain, estimated from the share of random completions that fail after each
/// choice.
public struct PointOfNoReturn: Sendable, Equatable {
  /// The share of failing completions after one item.
  public struct Share: Sendable, Equatable {
    /// The number of the item after which the run continues at random, or 0 for the start of the run.
    public let step: Int
    /// The item's name.
    public let name: String
    /// The share, from 0 to 1.
    public let failing: Double
  }

  /// The minimum number of completions for a meaningful share.
  static let minimumEnds = 50
  /// The minimum number of shares: one at each end of the run, and one in between.
  static let minimumShares = 3
  private static let width = 20
  /// Rows that differ from the previous one by less than this value are omitted.
  private static let leastDifference = 0.1

  /// The number of random completions after each choice.
  public let ends: Int
  /// A share for the start, for the last choice, and for each choice in between. If computing all of them would cost
  /// too much, only the shares near the jump are present.
  public let shares: [Share]

  /// The index of the share that rises most above the previous share, or nil if none rises.
  var jumpIndex: Int? {
    let rises = shares.indices.dropFirst().map { ($0, shares[$0].failing - shares[$0 - 1].failing) }
    guard let greatest = rises.max(by: { $0.1 < $1.1 }), greatest.1 > 0 else { return nil }
    return greatest.0
  }

  /// The item after which the share of failing completions rises most.
  public var jump: Share? { jumpIndex.map { shares[$0] } }
}

extension PointOfNoReturn: CustomStringConvertible {
  /// A bar for each item that changes the share, in 80 columns.
  public var description: String {
    var (lines, shown) = (["The share of \(ends) runs that fail when they continue at random after an item:"], -1.0)
    let mark = jumpIndex
    for (index, share) in shares.enumerated() {
      let isNews = abs(share.failing - shown) >= Self.leastDifference
      guard isNews || index == mark || index == shares.count - 1 || index + 1 == mark else { continue }
      shown = share.failing
      let bar = String(repeating: "█", count: Int((share.failing * Double(Self.width)).rounded()))
      let percent = String(Int((share.failing * 100).rounded())).padded(to: 3, .right)
      var line = "\(String(share.step).padded(to: 6, .right))  \(percent) %"
      if index == mark {
        line += "  \(bar.padded(to: Self.width))  ← \(share.name)"
      } else if !bar.isEmpty {
        line += "  " + bar
      }
      lines.append(line.cut(to: 80))
    }
    return lines.joined(separator: "\n")
  }
}
