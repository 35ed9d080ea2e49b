import PlainText
import Scheduling
import Synchronization

/// The run queue and its threads. This type decides which thread may use the queue, and runs the loops that process it.
///
/// During a run, the running thread owns the queue and uses it without a lock. Other threads leave their requests in
/// the inbox, which the run reads before each choice. Between runs, the inbox's lock also protects the queue.
///
/// `Sendable` is unchecked, because these two rules protect the queue. Batons pass ownership of the queue between the
/// threads of a run.
final class VirtualCore: TaskExecutor, @unchecked Sendable {
  /// The running thread, or zero between runs.
  let owner = Atomic<UInt>(0)
  @exclusivity(unchecked) var queue: RunQueue
  let shared = Locked(Shared())
  let hasMail = Atomic(false)
  let schedulersMade = Atomic(SchedulerID.standard.count)
  let gatesMade = Atomic(0)
  let policy: (any SchedulePolicy)?
  let observer: RunObserver
  /// Runs a job from one of the process's executors.
  let runProcessJob: (@Sendable (UnownedJob, SchedulerID) -> Void)?
  /// Called each time an item from outside the run has joined the queue.
  let onSchedule: (@Sendable (VirtualCore) -> Void)?

  // Only the running thread uses the following properties.
  @exclusivity(unchecked) var baton: Baton?
  @exclusivity(unchecked) var callersBaton: Baton?
  /// The batons of threads that wait to continue the loop.
  @exclusivity(unchecked) var spares: [Baton] = []
  /// The closures that were still waiting when the run ended.
  @exclusivity(unchecked) var leftovers: [Waiter] = []
  @exclusivity(unchecked) var onEnd: (@Sendable (VirtualRunEnd) -> Void)?
  /// The index that an interrupted item's choice selected, for the thread that continues.
  @exclusivity(unchecked) var preselected: Int?
  /// Called if items wait for locks that nothing can release. Such a run cannot be unwound, so the call does not return.
  let onLockDeadlock: (@Sendable ([String]) -> Void)?

  /// A request from a thread other than the running one.
  enum Mail: Sendable {
    case append(RunQueue.Work, ReadyItem.Kind, SchedulerID)
    case timer(ForeignTimer, RunQueue.Work, ReadyItem.Kind, SchedulerID, Duration)
    case cancel(TimerHeap.Entry)
    case open(Int)
  }

  struct Shared: Sendable {
    var inbox: [Mail] = []
    var isClosed = false
    /// The reason why the run ended. Set when nothing can continue.
    var end: VirtualRunEnd?
    /// A snapshot for threads other than the running one.
    var figures = Figures()
  }

  /// The statistics for all runs so far.
  struct Figures: Sendable {
    var now = Duration.zero
    var steps = 0
    var poolStarved = false
    var delayedWork = Duration.zero
    var longestMainWait = Duration.zero
    var waits = 0
    var isEmpty = true
  }

  init(
    _ queue: RunQueue, policy: (any SchedulePolicy)? = nil, _ observer: RunObserver = RunObserver(),
    runProcessJob: (@Sendable (UnownedJob, SchedulerID) -> Void)? = nil,
    onLockDeadlock: (@Sendable ([String]) -> Void)? = nil,
    onSchedule: (@Sendable (VirtualCore) -> Void)? = nil
  ) {
    self.onLockDeadlock = onLockDeadlock
    self.queue = queue
    self.policy = policy
    self.observer = observer
    self.runProcessJob = runProcessJob
    self.onSchedule = onSchedule
  }

  /// Returns a core for a manual runtime, without limits and with as many workers as needed.
  static func byHand(onSchedule: (@Sendable (VirtualCore) -> Void)? = nil) -> VirtualCore {
    VirtualCore(
      RunQueue(pool: .fixed(width: .max), timing: .exact, maximumStepsAtOnce: .max, maximumSteps: .max),
      onSchedule: onSchedule)
  }

  var runningThread: UInt { owner.load(ordering: .relaxed) }

  var isMine: Bool { owner.load(ordering: .relaxed) == ThreadID.current }

  // MARK: Scheduling

  /// Reports an action of the running item that can affect other items.
  func touch(_ touch: Touch) { if let touched = observer.touched, isMine { touched(touch) } }

  func makeScheduler(_ label: String) -> SchedulerID {
    touch(.other)
    return SchedulerID(kind: .serial, number: schedulersMade.add(1, ordering: .relaxed).oldValue, label: label)
  }

  func makeGate() -> Int {
    touch(.other)
    return gatesMade.add(1, ordering: .relaxed).oldValue
  }

  func schedule(_ work: RunQueue.Work, _ kind: ReadyItem.Kind, on scheduler: SchedulerID) {
    if isMine {
      observer.touched?(.post(scheduler))
      return queue.append(work, kind, on: scheduler)
    }
    let isAllowed = shared.withLock { shared in
      if owner.load(ordering: .relaxed) == 0 {
        queue.append(work, kind, on: scheduler)
      } else {
        deliver(.append(work, kind, scheduler), &shared)
      }
      return admits(shared)
    }
    if !isAllowed { observer.calledByForeignThread?(ForeignCall("schedule on \(scheduler.label)")) }
    onSchedule?(self)
  }

  func schedule(
    _ work: RunQueue.Work, _ kind: ReadyItem.Kind, on scheduler: SchedulerID, after delay: Duration
  ) -> any Cancellation {
    if isMine {
      // Under exact timing, simultaneous completions of one network keep their order, just as timers do.
      observer.touched?(.delay(kind == .completion && queue.timing == .exact ? .timer : kind, scheduler))
      let entry = queue.append(work, kind, on: scheduler, after: delay)
      return VirtualTimer(core: self, entry: entry, identity: queue.identity(of: entry))
    }
    let foreign = ForeignTimer(self)
    let isAllowed = shared.withLock { shared in
      if owner.load(ordering: .relaxed) == 0 {
        foreign.begin(queue.append(work, kind, on: scheduler, after: delay))
      } else {
        deliver(.timer(foreign, work, kind, scheduler, delay), &shared)
      }
      return admits(shared)
    }
    if !isAllowed { observer.calledByForeignThread?(ForeignCall("schedule on \(scheduler.label) after \(delay)")) }
    onSchedule?(self)
    return foreign
  }

  func cancel(_ entry: TimerHeap.Entry, _ touch: Touch) {
    self.touch(touch)
    // The work is returned so that the closure's captures are released outside the lock.
    if isMine { return withExtendedLifetime(queue.cancel(entry)) {} }
    let cancelled = shared.withLock { shared in
      if owner.load(ordering: .relaxed) == 0 { return queue.cancel(entry) }
      deliver(.cancel(entry), &shared)
      return .nothing
    }
    withExtendedLifetime(cancelled) {}
  }

  func open(_ gate: Int) {
    if isMine {
      observer.touched?(.gate(gate))
      return queue.open(gate)
    }
    let isAllowed = shared.withLock { shared in
      if owner.load(ordering: .relaxed) == 0 { queue.open(gate) } else { deliver(.open(gate), &shared) }
      return admits(shared)
    }
    if !isAllowed { observer.calledByForeignThread?(ForeignCall("open a gate")) }
  }

  func enqueue(_ job: consuming ExecutorJob) { schedule(.job(UnownedJob(job)), .job, on: .tasks) }

  private func admits(_ shared: Shared) -> Bool { owner.load(ordering: .relaxed) == 0 && !shared.isClosed }

  private func deliver(_ mail: Mail, _ shared: inout sending Shared) {
    shared.inbox.append(mail)
    hasMail.store(true, ordering: .relaxed)
  }

  func readMail() {
    let mail = shared.withLock { shared in
      hasMail.store(false, ordering: .relaxed)
      defer { shared.inbox = [] }
      return shared.inbox
    }
    for piece in mail {
      switch piece {
      case .append(let work, let kind, let scheduler): queue.append(work, kind, on: scheduler)
      case .timer(let timer, let work, let kind, let scheduler, let delay):
        timer.begin(queue.append(work, kind, on: scheduler, after: delay))
      case .cancel(let entry): withExtendedLifetime(queue.cancel(entry)) {}
      case .open(let gate): queue.open(gate)
      }
    }
  }

  // MARK: Inspecting

  /// Changes the queue from inside an item. Returns nil on any other thread.
  @discardableResult
  func queueOfItem<Value>(_ change: (inout RunQueue) -> Value) -> Value? { isMine ? change(&queue) : nil }

  func isCurrent(_ scheduler: SchedulerID) -> Bool { isMine && queue.current.scheduler == scheduler.number }

  /// For threads outside a run, a snapshot from the last advance of the clock or from the end of the run.
  var figures: Figures {
    if isMine { return liveFigures }
    return shared.withLock { owner.load(ordering: .relaxed) == 0 ? liveFigures : $0.figures }
  }

  var liveFigures: Figures {
    Figures(
      now: queue.now, steps: queue.steps, poolStarved: queue.poolStarved, delayedWork: queue.delayedWork,
      longestMainWait: queue.longestMainWait,
      waits: queue.waits,
      isEmpty: queue.isEmpty)
  }
}

/// A timer that the running thread created.
struct VirtualTimer: Cancellation {
  let core: VirtualCore
  let entry: TimerHeap.Entry
  let identity: UInt64

  func cancel() { core.cancel(entry, .cancel(identity)) }
}

/// A timer that another thread created. The run starts it when it reads the inbox.
final class ForeignTimer: Cancellation {
  private enum State {
    case new
    case begun(TimerHeap.Entry)
    case cancelled
  }

  private let core: VirtualCore
  private let state = Locked(State.new)

  init(_ core: VirtualCore) { self.core = core }

  func begin(_ entry: TimerHeap.Entry) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .begun(entry)
      return false
    }
    if isCancelled { core.cancel(entry, .other) }
  }

  func cancel() {
    let entry = state.withLock { state -> TimerHeap.Entry? in
      defer { state = .cancelled }
      if case .begun(let entry) = state { return entry }
      return nil
    }
    if let entry { core.cancel(entry, .other) }
  }
}
