import VirtualTime

/// What one item did that makes a difference to others.
struct Footprint {
  private let identity: UInt64
  private let scheduler: SchedulerID
  private let advancesClock: Bool
  private var isComparable: Bool
  private var hasStated = false
  private var readsClock = false
  private var posts: Set<Int> = []
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
    // Whether a timer is ready depends on everything else. What happens inside a job or behind a gate the runtime does not see.
    isComparable = item.kind == .closure || item.kind == .completion || item.kind == .step
  }

  mutating func add(_ touch: Touch) {
    switch touch {
    case .post(let scheduler): if scheduler.kind != .tasks { posts.insert(scheduler.number) }
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

  /// Whether the two can be swapped, and the run goes on in the same way.
  func isIndependent(of other: Footprint) -> Bool {
    guard isComparable, hasStated, other.isComparable, other.hasStated else { return false }
    let isOneSerialScheduler =
      scheduler.number == other.scheduler.number && scheduler.kind != .workers && scheduler.kind != .tasks
    let sharesClock = advancesClock && other.dependsOnClock || dependsOnClock && other.advancesClock
    // Of two timers or steps that are equally late the older one comes first; completions can come in any order.
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
