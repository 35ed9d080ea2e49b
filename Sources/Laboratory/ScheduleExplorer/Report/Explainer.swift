import Bytes
import VirtualTime

/// Explains a failing schedule: which order decides, which items have no part in it, and from where on it cannot be averted.
struct Explainer {
  private static let mostGroups = 20
  /// Other deviations, or code inside an item, may decide otherwise.
  private static let scope = "This holds for the two schedules that ran."

  let trial: Trial
  let list: [Deviations.Deviation]
  let finding: Finding
  let steps: [RecordedStep]
  /// What the program awaits that has not ended.
  let waiting: [String]
  /// The items of each deviation up to the one that was chosen.
  private let overtaken: [[ReadyItem]]
  private let choices: Int

  /// - Parameter recorder: of the run that the trial has just ended.
  init(_ trial: Trial, _ list: [Deviations.Deviation], _ finding: Finding, _ recorder: Recorder) {
    self.trial = trial
    self.list = list
    self.finding = finding
    steps = recorder.steps.located
    waiting = recorder.waiting.located
    overtaken = trial.director.overtaken
    choices = trial.director.counts.count
  }

  /// Whether the run fails in the same way where this order is kept.
  private func fails(_ order: ItemOrder) -> Bool {
    let policy = OrderPolicy(order)
    guard trial.run(policy).finding == finding else { return false }
    let positions = policy.positions
    return order.pairs.allSatisfy { pair in
      positions[pair.before].map { $0 < positions[pair.after, default: .max] } ?? false
    }
  }

  // MARK: The order that decides

  /// Compares the schedule with one whose last deviation is one smaller: the item that it passes last comes first again.
  var flippedPair: String? {
    guard let last = list.last, let items = overtaken.last else { return nil }
    var changed = list
    if last.index == 1 { changed.removeLast() } else { changed[changed.count - 1].index -= 1 }
    guard trial.run(DeviationPolicy(changed)).finding == nil else { return nil }
    guard let late = items.dropLast().last, let early = items.last else { return nil }
    let names = steps.names(of: late, early)
    // What has joined a queue runs later, and may do so after what it was chosen before.
    let joins = position(of: early) >= position(of: late)
    return "\(names.1)\(joins ? " in its queue" : "") before \(names.0) fails; after it, passes.\n\(Self.scope)"
  }

  private func position(of item: ReadyItem) -> Int {
    steps.firstIndex { $0.item.identity == item.identity } ?? .max
  }

  /// As few pairs as still make the run fail, if each is left out once. Empty where first in, first out fails.
  ///
  /// - Parameter runs: how many pairs may be tried.
  func decidingPairs(runs: Int) -> [ItemOrder.Pair] {
    var pairs = overtaken.flatMap { items in
      items.dropLast().map { ItemOrder.Pair(before: items[items.count - 1].identity, after: $0.identity) }
    }
    guard fails(ItemOrder(pairs: pairs)) else { return [] }
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
    let item = step?.item ?? overtaken.joined().first { $0.identity == identity }
    return ItemName(
      text: step?.text ?? item.map { "\($0.kind)" } ?? "item", scheduler: item?.scheduler.label,
      identity: UInt32(truncatingIfNeeded: identity))
  }

  // MARK: What has no part in it

  /// The identities of the items that neither lead to one of the pairs nor follow from one, as long as the run fails in the
  /// same way when they come as late as they can, and when they come as early.
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
    for root in groups.keys.sorted().prefix(Self.mostGroups) {
      let more = apart.union(groups[root] ?? [])
      if isApart(more) { apart = more }
    }
    return apart
  }

  /// The numbers of the items of the pairs, of what they come from, and of what comes from them.
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

  /// Lets the run end at random from each of its choices on; from some of them if all would cost too much: the interval in
  /// which the share of failing ends changes most is halved again and again.
  ///
  /// - Parameters:
  ///   - ends: how many ends from each choice, at most.
  ///   - budget: how many items may run in all.
  func pointOfNoReturn(seed: UInt64, ends: Int, budget: Int) -> PointOfNoReturn? {
    let runs = budget / max(steps.count, 1)
    let count = min(ends, max(runs / (choices + 1), PointOfNoReturn.fewestEnds))
    guard choices > 0, runs / count >= PointOfNoReturn.fewestShares else { return nil }
    var shares: [Int: Double] = [:]
    for choice in [0, choices] { shares[choice] = failingShare(from: choice, seed, ends: count) }
    while shares.count < min(runs / count, choices + 1) {
      let known = shares.keys.sorted()
      let gaps = zip(known, known.dropFirst()).filter { $1 - $0 > 1 }
      let steepest = gaps.max { one, other in
        abs(shares[one.1, default: 0] - shares[one.0, default: 0])
          < abs(shares[other.1, default: 0] - shares[other.0, default: 0])
      }
      guard let steepest else { break }
      let middle = (steepest.0 + steepest.1) / 2
      shares[middle] = failingShare(from: middle, seed, ends: count)
    }
    return PointOfNoReturn(
      ends: count,
      shares: shares.keys.sorted().map { choice in
        // An item that joins a queue is chosen without a step of its own.
        let step = steps.firstIndex { $0.choices >= choice } ?? steps.count - 1
        return PointOfNoReturn.Share(
          step: choice == 0 ? 0 : step + 1, name: choice == 0 ? "" : steps[step].name,
          failing: shares[choice, default: 0])
      })
  }

  private func failingShare(from choice: Int, _ seed: UInt64, ends: Int) -> Double {
    let failing = (0..<ends).count { end in
      let generator = SplitMix64(seed: seed, run: choice * ends + end)
      return trial.run(RandomEndPolicy(list, randomFrom: choice, generator)).finding != nil
    }
    return Double(failing) / Double(ends)
  }
}

/// The point at which a failing run is decided: the share of random completions that fail, after each of its choices.
public struct PointOfNoReturn: Sendable, Equatable {
  /// The share of failing completions after one item.
  public struct Share: Sendable, Equatable {
    /// The number of the item whose choice was the last that was made as in the failing run; 0 before the first.
    public let step: Int
    /// What the item did.
    public let name: String
    /// From 0 to 1.
    public let failing: Double
  }

  /// A share of fewer completions is not meaningful.
  static let fewestEnds = 50
  /// The two ends of the run, and one between them.
  static let fewestShares = 3
  private static let width = 20
  /// Rows that differ less from the one above them are left out.
  private static let leastDifference = 0.1

  /// How many random ends there were after each choice.
  public let ends: Int
  /// One for the start, one for the last choice, and one for each choice between them, or for those around the jump where all
  /// would have cost too much.
  public let shares: [Share]

  /// The index of the share that is the most above the one before; nil where none is.
  var jumpIndex: Int? {
    let rises = shares.indices.dropFirst().map { ($0, shares[$0].failing - shares[$0 - 1].failing) }
    guard let greatest = rises.max(by: { $0.1 < $1.1 }), greatest.1 > 0 else { return nil }
    return greatest.0
  }

  /// The item after which the share of failing ends has grown most.
  public var jump: Share? { jumpIndex.map { shares[$0] } }
}

extension PointOfNoReturn: CustomStringConvertible {
  /// A bar for each item that changes something, in 80 characters.
  public var description: String {
    var (lines, shown) = (["The share of \(ends) random ends that fail, after each item with a choice:"], -1.0)
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
