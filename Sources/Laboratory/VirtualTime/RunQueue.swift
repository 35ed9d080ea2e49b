import PlainText
import Scheduling
import SeededNumbers

/// All waiting items, the time, and the items that can run next. It is a plain value that uses no threads.
///
/// Each change also updates the ready items, so a choice needs no search.
struct RunQueue {
  /// A closure in a box, which avoids wrapping the closure again on each read.
  struct Action: Sendable {
    let call: @Sendable () -> Void
  }

  /// The work of an item.
  enum Work: Sendable {
    case call(Action)
    case job(UnownedJob)
    /// A job of the process's executors.
    case processJob(UnownedJob)
    case resume(Waiter)
    /// An additional thread of the pool.
    case growth
    case nothing
  }

  struct Item: Sendable {
    var work = Work.nothing
    var kind = ReadyItem.Kind.closure
    var number = 0
    /// The number of the item that scheduled this one or opened its gate, or zero.
    var cause = 0
    /// The number of notes that the item had made by then.
    var notesOfCause = 0
    /// Its position in the order in which items joined their queues, or zero while it is delayed.
    var order = 0
    var due: Duration?
    /// For a delayed item, the number of items that had joined their schedulers' queues when this one was scheduled.
    var since = 0
    /// The time at which the item became ready.
    var readyAt = Duration.zero
    var scheduler = 0
    var identity: UInt64 = 0
    var chain = 0
    /// The time at which the item would run if each delay ended exactly when it is due.
    var nominal = Duration.zero
    var isInterrupted = false
    /// The next item that waits for the same scheduler, or the next free slot.
    var next = none

    func waits(as entry: TimerHeap.Entry) -> Bool { number == entry.number && order == 0 }
  }

  struct Queue {
    let scheduler: SchedulerID
    var first = none
    var last = none
    /// Whether a closure of this queue is running or waiting at a gate.
    var isBusy = false
    /// For each kind of delayed item, the position of the last one that joined the queue. Items of one kind keep their
    /// order.
    var lastTimer = 0
    var lastCompletion = 0
    var lastStep = 0
  }

  static let none = -1

  var now = Duration.zero
  var poolStarved = false
  /// The time that passed while an item was ready. It is zero if items run first in, first out.
  var delayedWork = Duration.zero
  /// The longest time that main waited at a gate.
  var longestMainWait = Duration.zero
  /// The number of waits at gates.
  var waits = 0
  var steps = 0
  /// The number of items that have run since the clock last advanced.
  var stepsAtOnce = 0
  /// The running item.
  var current = Current()
  /// The closures that wait at gates, in order of arrival. While a closure can continue, its slot holds the item that
  /// resumes it; otherwise the slot is `none`.
  var parked: [(waiter: Waiter, slot: Int)] = []
  /// The number of parked items that wait for locks.
  var lockWaiters = 0
  /// Whether the runtime is closed.
  var isGivenUp = false

  var items: [Item] = []
  var firstFree = none
  var numbers = 0
  var chains = 0
  /// The number of items that were scheduled outside the run.
  var scheduledOutside = 0
  /// The number of items that have joined their schedulers' queues: in total, before the last advance of the clock, and
  /// before the last user step.
  var orders = 0
  var ordersBeforeNow = 0
  var ordersBeforeStep = 0
  /// Each advance of the clock, and the number of items that had joined the queues before it. Empty under exact timing.
  var advances: [(time: Duration, orders: Int)] = []
  var queues = SchedulerID.standard.map { Queue(scheduler: $0) }
  var ready = ReadyList()
  var timers = TimerHeap()
  /// The steps of the user, unless the timing is exact. Only the next one can be chosen.
  var userSteps = TimerHeap()
  /// The network completions by due time, unless the timing is exact.
  var completions: [TimerHeap.Entry] = []
  /// The number of completions that can be chosen, counted from the start of the list.
  var open = 0
  /// The other delayed items that can be chosen: the next step, and timers that are due or next. Ordered by due time.
  var others: [TimerHeap.Entry] = []
  var gates: [GateState] = []
  let timing: Timing
  let pool: WorkerPool
  var poolSize: Int
  var isPoolGrowing = false
  /// The number of the workers' closures that are ready. The next property counts those that wait at gates or have yet
  /// to resume.
  var admittedWorkers = 0
  var blockedWorkers = 0
  let maximumStepsAtOnce: Int
  let maximumSteps: Int
  /// Whether the run has sleeps that keep their order with all other delays.
  var settles = false
  /// The end of the test's last sleep, until the test waits again.
  var settledUntil: Duration?
  /// The time at which the test last continued, if each delay had ended exactly when it was due.
  var testTime = Duration.zero
  /// The latest due time of the delays that have ended since the test last continued.
  var latestDelay = Duration.zero
  /// Whether the remaining delays no longer end.
  var delaysAreOver = false

  /// The running item, or default values if no item is running.
  struct Current: Sendable {
    var number = 0
    var scheduler = none
    var identity: UInt64 = 0
    var chain = 0
    var nominal = Duration.zero
    /// The number of items that this item has scheduled.
    var scheduled = 0
    /// The number of notes that this item has made.
    var notes = 0
    /// The number of points at which it could have been interrupted.
    var points = 0
  }

  init(pool: WorkerPool, timing: Timing, maximumStepsAtOnce: Int, maximumSteps: Int) {
    self.pool = pool
    self.timing = timing
    self.maximumStepsAtOnce = maximumStepsAtOnce
    self.maximumSteps = maximumSteps
    poolSize = pool.size
    // A search creates a queue for each schedule. Growing the array step by step would cost more than all later work.
    items.reserveCapacity(32)
  }

  // MARK: Scheduling

  mutating func append(_ work: Work, _ kind: ReadyItem.Kind, on scheduler: SchedulerID) {
    guard !isGivenUp else { return }
    enqueue(makeItem(work, kind, on: scheduler))
  }

  /// Schedules work after a delay. Returns the timer's entry, which the caller can use to cancel the timer.
  mutating func append(
    _ work: Work, _ kind: ReadyItem.Kind, on scheduler: SchedulerID, after delay: Duration
  ) -> TimerHeap.Entry {
    guard !isGivenUp else { return TimerHeap.Entry(due: now, number: 0, slot: Self.none) }
    let slot = makeItem(work, kind, on: scheduler)
    let due = due(after: max(delay, .zero), kind)
    items[slot].due = due
    items[slot].nominal = due
    items[slot].since = orders
    let entry = TimerHeap.Entry(due: due, number: numbers, slot: slot)
    switch line(of: kind) {
    case .completions: completions.insert(entry, at: index(of: entry))
    case .steps: userSteps.insert(entry)
    case .timers: timers.insert(entry)
    }
    return entry
  }

  /// The collections that hold delayed items.
  enum Line { case completions, steps, timers }

  func line(of kind: ReadyItem.Kind) -> Line {
    switch kind {
    case _ where timing == .exact: .timers
    case .completion, .sleep: .completions
    case .step: .steps
    case .closure, .job, .resumption, .timer, .settling: .timers
    }
  }

  /// Returns the identity of a timer's item, or zero if the item was not accepted.
  func identity(of entry: TimerHeap.Entry) -> UInt64 { entry.slot == Self.none ? 0 : items[entry.slot].identity }

  /// Cancels a timer. Returns the cancelled work, which the caller must release outside a lock.
  mutating func cancel(_ entry: TimerHeap.Entry) -> Work {
    guard items.indices.contains(entry.slot), items[entry.slot].number == entry.number else { return .nothing }
    guard items[entry.slot].waits(as: entry) else {
      leave(entry.slot)
      return release(entry.slot)
    }
    let kind = items[entry.slot].kind
    let work = release(entry.slot)
    switch line(of: kind) {
    case .completions: completions.remove(at: index(of: entry))
    case .steps: userSteps.noteCancel(items)
    case .timers: timers.noteCancel(items)
    }
    return work
  }

  func index(of entry: TimerHeap.Entry) -> Int {
    var (low, high) = (0, completions.count)
    while low < high {
      let middle = (low + high) / 2
      if completions[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func makeItem(_ work: Work, _ kind: ReadyItem.Kind, on scheduler: SchedulerID) -> Int {
    numbers += 1
    while queues.count <= scheduler.number { queues.append(Queue(scheduler: .unknown)) }
    if queues[scheduler.number].scheduler.number != scheduler.number {
      queues[scheduler.number] = Queue(scheduler: scheduler)
    }
    var item = Item()
    item.work = work
    item.kind = kind
    item.number = numbers
    item.cause = current.number
    item.notesOfCause = current.notes
    item.scheduler = scheduler.number
    item.nominal = current.nominal
    identify(&item)
    guard firstFree != Self.none else {
      items.append(item)
      return items.count - 1
    }
    let slot = firstFree
    firstFree = items[slot].next
    items[slot] = item
    return slot
  }

  private mutating func identify(_ item: inout Item) {
    let isInside = current.number != 0
    let before = isInside ? current.scheduled : scheduledOutside
    if isInside { current.scheduled += 1 } else { scheduledOutside += 1 }
    if isInside, before == 0 {
      item.chain = current.chain
    } else {
      chains += 1
      item.chain = chains
    }
    item.identity = SplitMix64.scatter(
      current.identity &* 31 &+ UInt64(truncatingIfNeeded: before) &+ 0x9E37_79B9_7F4A_7C15)
  }

  mutating func release(_ slot: Int) -> Work {
    let work = items[slot].work
    items[slot] = Item()
    items[slot].next = firstFree
    firstFree = slot
    return work
  }
}

/// A closure that waits at a gate, or an interrupted item.
struct Waiter: Sendable {
  /// The gate, or `none` for an interrupted item.
  let gate: Int
  let scheduler: Int
  let chain: Int
  let baton: Baton
  let since: Duration
  /// The interrupted item.
  var interrupted: RunQueue.Current?
  /// The address of the lock that the interrupted item waits for, or zero.
  var lock: UInt = 0

  static let none = -1
}
