import Bytes
import Scheduling

/// All that waits to be run, the time, and what can be run next: a value without threads.
///
/// What is ready is kept up to date with each change, so that a choice costs no search.
struct RunQueue {
  /// A closure in a box, so that reading it does not wrap it again.
  struct Action: Sendable {
    let call: @Sendable () -> Void
  }

  /// What an item does.
  enum Work: Sendable {
    case call(Action)
    case job(UnownedJob)
    /// A job of the process's executors.
    case processJob(UnownedJob)
    case resume(Waiter)
    /// One more thread in the pool.
    case growth
    case nothing
  }

  struct Item: Sendable {
    var work = Work.nothing
    var kind = ReadyItem.Kind.closure
    var number = 0
    /// The number of the item that made it; zero for none.
    var cause = 0
    /// Its position in the order in which items became ready; zero while it waits for its time.
    var order = 0
    var due: Duration?
    /// With a delay: how many items had joined the queues of their schedulers when it was scheduled.
    var since = 0
    /// When it became ready.
    var readyAt = Duration.zero
    var scheduler = 0
    var identity: UInt64 = 0
    var chain = 0
    /// The next one that waits for the same scheduler, or the next free slot.
    var next = none

    func waits(as entry: TimerHeap.Entry) -> Bool { number == entry.number && order == 0 }
  }

  struct Queue {
    let scheduler: SchedulerID
    var first = none
    var last = none
    /// Whether a closure runs in it, or waits at a gate.
    var isBusy = false
    /// The positions in the order of those whose delay ended last, and that joined the queue: those of one kind keep their order.
    var lastTimer = 0
    var lastCompletion = 0
    var lastStep = 0
  }

  static let none = -1

  var now = Duration.zero
  var poolStarved = false
  /// The longest that main waited at a gate.
  var longestMainWait = Duration.zero
  var steps = 0
  /// How many of them since the time last advanced.
  var stepsAtOnce = 0
  /// The item that runs.
  var current = Current()
  /// The closures that wait at gates, in the order in which they began to, each with its item while it can go on.
  var parked: [(waiter: Waiter, slot: Int)] = []
  /// Nothing is taken any more.
  var isGivenUp = false

  var items: [Item] = []
  var firstFree = none
  var numbers = 0
  var chains = 0
  /// How many items were scheduled outside the run.
  var scheduledOutside = 0
  /// How many items have joined the queues of their schedulers, in all, before the time last advanced, and before the last step of the user.
  var orders = 0
  var ordersBeforeNow = 0
  var ordersBeforeStep = 0
  /// Unless timing is exact: each advance of the time, and how many items had joined the queues of their schedulers before it.
  var advances: [(time: Duration, orders: Int)] = []
  var queues = SchedulerID.standard.map { Queue(scheduler: $0) }
  var ready = ReadyList()
  var timers = TimerHeap()
  /// Unless timing is exact: steps of the user, of which only the next can be chosen.
  var userSteps = TimerHeap()
  /// Unless timing is exact: what the network completes, by due time.
  var completions: [TimerHeap.Entry] = []
  /// How many of them can be chosen: the first.
  var open = 0
  /// What else can be chosen before its time: the next step, and the timers that are due or next, by due time.
  var others: [TimerHeap.Entry] = []
  var gates: [GateState] = []
  let timing: Timing
  let pool: WorkerPool
  var poolSize: Int
  var isPoolGrowing = false
  /// Closures of workers that are ready, those that wait at gates, and those that can go on.
  var admittedWorkers = 0
  var blockedWorkers = 0
  let mostStepsAtOnce: Int
  let mostSteps: Int

  /// The item that runs, if one does.
  struct Current {
    var number = 0
    var scheduler = none
    var identity: UInt64 = 0
    var chain = 0
    /// How many items it has scheduled.
    var scheduled = 0
  }

  init(pool: WorkerPool, timing: Timing, mostStepsAtOnce: Int, mostSteps: Int) {
    self.pool = pool
    self.timing = timing
    self.mostStepsAtOnce = mostStepsAtOnce
    self.mostSteps = mostSteps
    poolSize = pool.size
    // A search makes a queue for each schedule: growing step by step would cost more than all that follows.
    items.reserveCapacity(32)
  }

  // MARK: Putting in

  mutating func append(_ work: Work, _ kind: ReadyItem.Kind, on scheduler: SchedulerID) {
    guard !isGivenUp else { return }
    enqueue(makeItem(work, kind, on: scheduler))
  }

  /// Returns what identifies the timer, to cancel it.
  mutating func append(
    _ work: Work, _ kind: ReadyItem.Kind, on scheduler: SchedulerID, after delay: Duration
  ) -> TimerHeap.Entry {
    guard !isGivenUp else { return TimerHeap.Entry(due: now, number: 0, slot: Self.none) }
    let slot = makeItem(work, kind, on: scheduler)
    let due = now + max(delay, .zero)
    items[slot].due = due
    items[slot].since = orders
    let entry = TimerHeap.Entry(due: due, number: numbers, slot: slot)
    switch line(of: kind) {
    case .completions: completions.insert(entry, at: index(of: entry))
    case .steps: userSteps.insert(entry)
    case .timers: timers.insert(entry)
    }
    return entry
  }

  /// Where items wait for their time.
  enum Line { case completions, steps, timers }

  func line(of kind: ReadyItem.Kind) -> Line {
    switch kind {
    case _ where timing == .exact: .timers
    case .completion, .sleep: .completions
    case .step: .steps
    case .closure, .job, .resumption, .timer: .timers
    }
  }

  /// Zero for what was not taken any more.
  func identity(of entry: TimerHeap.Entry) -> UInt64 { entry.slot == Self.none ? 0 : items[entry.slot].identity }

  /// Returns what was cancelled, to be released elsewhere than under a lock.
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
    item.scheduler = scheduler.number
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

/// A closure that waits at a gate.
struct Waiter: Sendable {
  let gate: Int
  let scheduler: Int
  let chain: Int
  let baton: Baton
  let since: Duration
}
