import VirtualTime

/// Enumerates schedules. If schedules differ only in the order of independent items, only one of them runs to its end.
/// This is the sleep-set method from "Partial-Order Methods for the Verification of Concurrent Systems" (Godefroid,
/// LNCS 1032, 1996).
///
/// After an item has been tried in a state, it sleeps there. In the other branches from that state, the search skips
/// the item until a dependent item runs. The method needs only the footprints of items that have run.
final class SleepSets: SearchPolicy {
  /// A state and the item chosen next.
  private struct Node {
    var ready: [UInt64]
    var sleeping: [UInt64: Footprint]
    var tried: [UInt64: Footprint] = [:]
    var chosen: UInt64
    /// The footprint of the chosen item. Nil if the item has only joined a queue.
    var footprint: Footprint?
  }

  private var nodes: [Node]
  private var depth = 0
  /// The footprint of the running item. Nil between a choice and the start of the chosen item.
  private var current: Footprint?
  private var isOpen = false
  /// The serial schedulers on which any run has delayed an item.
  private var delayed: Set<Int> = []
  /// Whether a run has delayed an item on another serial scheduler than the runs before it, so that their classes may be
  /// too large.
  private(set) var hasLearned = false
  /// Whether no schedule has run since the last restart.
  private var hasRestarted = false
  /// Whether all ready items sleep, which means that an equivalent run exists.
  private(set) var isBlocked = false
  /// Whether an item of an earlier run was missing from this run.
  private(set) var hasDiverged = false

  /// Creates a policy that first follows these items.
  init(following items: [UInt64] = []) { nodes = items.map { Node(ready: [], sleeping: [:], chosen: $0) } }

  /// The items of the run.
  var sequence: [UInt64] { nodes.prefix(depth).map(\.chosen) }

  /// The position of each pair of adjacent independent items that were both ready before the first of them ran.
  var independentNeighbors: [Int] {
    nodes.prefix(depth).indices.dropLast().filter { index in
      guard let one = nodes[index].footprint, let other = nodes[index + 1].footprint else { return false }
      return nodes[index].ready.contains(nodes[index + 1].chosen) && one.isIndependent(of: other, delayed: delayed)
    }
  }

  // MARK: During a run

  var observesItems: Bool { true }

  func begin() {
    hasRestarted = false
    depth = 0
    (isOpen, isBlocked, hasDiverged) = (false, false, false)
  }

  func choose(_ choice: Int, from ready: ReadySet) -> Int {
    closeNode()
    let items = (0..<ready.count).map { ready[$0].identity }
    guard let chosen = next(of: items) else { return 0 }
    current = nil
    return items.firstIndex(of: chosen) ?? 0
  }

  func willRun(_ item: ReadyItem) {
    if item.due != nil, item.scheduler.kind == .main || item.scheduler.kind == .serial {
      hasLearned = delayed.insert(item.scheduler.number).inserted || hasLearned
    }
    // `choose` was not called if there was no choice. The item that it chose may only have joined a queue.
    if !isOpen || current != nil || nodes[depth - 1].chosen != item.identity {
      closeNode()
      guard next(of: [item.identity]) != nil else { return }
    }
    current = Footprint(item)
  }

  func touched(_ touch: Touch) { current?.add(touch) }

  func end() { closeNode() }

  private func next(of items: [UInt64]) -> UInt64? {
    guard !isBlocked, !hasDiverged else { return nil }
    if depth == nodes.count {
      let sleeping = inherited
      guard let first = items.first(where: { sleeping[$0] == nil }) else {
        isBlocked = true
        return nil
      }
      nodes.append(Node(ready: items, sleeping: sleeping, chosen: first))
    } else if !items.contains(nodes[depth].chosen) {
      hasDiverged = true
      return nil
    } else if nodes[depth].ready.isEmpty {
      nodes[depth].ready = items
    }
    isOpen = true
    depth += 1
    return nodes[depth - 1].chosen
  }

  /// The items that are still asleep after the previous item.
  private var inherited: [UInt64: Footprint] {
    guard let parent = nodes.last, let footprint = parent.footprint else { return [:] }
    return parent.sleeping.merging(parent.tried) { one, _ in one }
      .filter { $0.key != parent.chosen && $0.value.isIndependent(of: footprint, delayed: delayed) }
  }

  private func closeNode() {
    if isOpen { nodes[depth - 1].footprint = current }
    isOpen = false
    current = nil
  }

  // MARK: Between runs

  /// Forgets all classes, because a run has shown that they may be too large.
  func restart() {
    nodes = []
    (hasLearned, hasRestarted) = (false, true)
  }

  /// Advances to the next schedule. Returns false if there is no other schedule.
  func advance() -> Bool {
    if nodes.isEmpty, hasRestarted { return true }
    while var node = nodes.popLast() {
      let untried = node.ready.drop { $0 != node.chosen }.dropFirst().first { node.sleeping[$0] == nil }
      // An item that only joined a queue has no footprint, so it never sleeps.
      if let footprint = node.footprint { node.tried[node.chosen] = footprint }
      guard let untried else { continue }
      node.chosen = untried
      nodes.append(node)
      return true
    }
    return false
  }
}

/// The effects of one item on others.
struct Footprint {
  private let identity: UInt64
  private let scheduler: SchedulerID
  private let advancesClock: Bool
  private var isComparable: Bool
  private var hasStated = false
  private var readsClock = false
  private var posts: Set<Int> = []
  private var serialPosts: Set<Int> = []
  private var gates: Set<Int> = []
  private var cancels: Set<UInt64> = []
  private var delays: Set<ReadyItem.Kind> = []
  private var delaySchedulers: Set<Int> = []
  private var reads: Set<String> = []
  private var writes: Set<String> = []

  init(_ item: ReadyItem) {
    identity = item.identity
    scheduler = item.scheduler
    advancesClock = item.due != nil
    // Whether a timer is ready depends on all other items. The runtime cannot observe the effects of a job or of code
    // behind a gate.
    isComparable = item.kind == .closure || item.kind == .completion || item.kind == .step
  }

  mutating func add(_ touch: Touch) {
    switch touch {
    case .post(let scheduler):
      if scheduler.kind != .tasks { posts.insert(scheduler.number) }
      if scheduler.kind == .main || scheduler.kind == .serial { serialPosts.insert(scheduler.number) }
    case .delay(let kind, let scheduler):
      delays.insert(kind)
      delaySchedulers.insert(scheduler.number)
    case .clock: readsClock = true
    case .cancel(let item): cancels.insert(item)
    case .gate(let gate): gates.insert(gate)
    case .read(let name): reads.insert(name)
    case .write(let name): writes.insert(name)
    case .stated: hasStated = true
    case .other: isComparable = false
    }
  }

  /// Whether swapping the two items leaves the rest of the run unchanged.
  ///
  /// - Parameter delayed: the serial schedulers on which items are delayed.
  func isIndependent(of other: Footprint, delayed: Set<Int>) -> Bool {
    guard isComparable, hasStated, other.isComparable, other.hasStated else { return false }
    let isOneSerialScheduler =
      scheduler.number == other.scheduler.number && scheduler.kind != .workers && scheduler.kind != .tasks
    // An item that is due after an advance of the clock may overtake an item that another one posts after the advance.
    let sharesClock =
      advancesClock && (other.dependsOnClock || !other.serialPosts.isDisjoint(with: delayed))
      || (dependsOnClock || !serialPosts.isDisjoint(with: delayed)) && other.advancesClock
    // Of two timers or steps with equal due times, the older one runs first. Completions can run in any order.
    let sharesOrder = !delays.intersection(other.delays).subtracting([.completion]).isEmpty
    let sharesValue =
      !writes.isDisjoint(with: other.writes) || !writes.isDisjoint(with: other.reads)
      || !reads.isDisjoint(with: other.writes)
    let isCancel =
      cancels.contains(other.identity) || other.cancels.contains(identity) || !cancels.isDisjoint(with: other.cancels)
    return !isOneSerialScheduler && !sharesClock && !sharesOrder && !sharesValue && !isCancel
      && posts.isDisjoint(with: other.posts) && posts.isDisjoint(with: other.delaySchedulers)
      && delaySchedulers.isDisjoint(with: other.posts) && gates.isDisjoint(with: other.gates)
  }

  private var dependsOnClock: Bool { readsClock || !delays.isEmpty }
}
