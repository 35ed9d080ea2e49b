import PlainText
public import Scheduling

/// A runtime that uses virtual time and makes runs repeatable.
///
/// One closure, or one job of a task, runs at a time, without interruption. Only a wait at a gate lets others run
/// first. While an item is ready, the clock does not advance. When no item is ready, the clock jumps to the next timer.
/// The runtime cannot find data races inside a closure; use the thread sanitizer for those.
///
/// ```swift
/// let runtime = VirtualRuntime()
/// _ = runtime.main.schedule(after: .seconds(3600)) { print("an hour later") }
/// runtime.run()  // prints at once
/// ```
///
/// Before a run, any thread may schedule work. During a run, only the run's own code may schedule work.
/// ``foreignCalls`` counts other calls.
public final class VirtualRuntime: Runtime {
  /// The default limit on the number of closures run without advancing the clock. A hundred downloads that arrive at
  /// the same moment, in a hundred pieces each, are not a livelock.
  public static let standardMostStepsAtOnce = 100_000
  /// The default limit on the total number of closures in all runs. It also stops a timer that keeps restarting itself.
  public static let standardMostSteps = 1_000_000
  /// The maximum number of foreign calls whose source locations are recorded.
  private static let maximumForeignSites = 10

  /// The serial scheduler of the user interface.
  public let main: any Scheduler
  /// The concurrent scheduler, which uses the threads of the pool.
  public let workers: any Scheduler
  /// Like ``main``, but for steps of the user. Under ``Timing/any``, its delayed actions can run earlier or later.
  public let user: any Scheduler
  private let core: VirtualCore
  private let foreign: Locked<Foreign>

  private struct Foreign: Sendable {
    var count = 0
    var sites: [ForeignCall] = []
  }

  /// Creates an idle runtime at time zero.
  ///
  /// - Parameters:
  ///   - pool: the threads of ``workers``.
  ///   - timing: whether network completions and user steps happen exactly when they are due.
  ///   - maximumStepsAtOnce: how many closures can run without advancing the clock before the run counts as a livelock.
  ///   - maximumSteps: how many closures can run in total before the run counts as endless.
  ///   - policy: the policy that chooses the next item if several are ready. Nil means first in, first out.
  ///   - observer: the callbacks to call during the run.
  public convenience init(
    pool: WorkerPool = .linux(cores: 2), timing: Timing = .exact, maximumStepsAtOnce: Int = standardMostStepsAtOnce,
    maximumSteps: Int = standardMostSteps, policy: (any SchedulePolicy)? = nil,
    observer: RunObserver = RunObserver()
  ) {
    self.init(
      RunQueue(pool: pool, timing: timing, maximumStepsAtOnce: maximumStepsAtOnce, maximumSteps: maximumSteps), policy,
      observer, nil, nil)
  }

  /// Creates a runtime that also runs jobs of the process's executors.
  ///
  /// - Parameters:
  ///   - settles: whether some sleeps keep their order with all other delays.
  ///   - runProcessJob: called with each job that `enqueue` accepted, and with its scheduler.
  ///   - onLockDeadlock: called with the labels of the schedulers whose items wait for locks that nothing can release. It
  ///     must not return.
  package convenience init(
    timing: Timing, maximumSteps: Int, settles: Bool = false, policy: any SchedulePolicy, observer: RunObserver,
    runProcessJob: @escaping @Sendable (UnownedJob, SchedulerID) -> Void,
    onLockDeadlock: @escaping @Sendable ([String]) -> Void
  ) {
    var queue = RunQueue(
      pool: .fixed(width: 4), timing: timing, maximumStepsAtOnce: maximumSteps, maximumSteps: maximumSteps)
    queue.settles = settles
    self.init(queue, policy, observer, runProcessJob, onLockDeadlock)
  }

  private init(
    _ queue: RunQueue, _ policy: (any SchedulePolicy)?, _ observer: RunObserver,
    _ runProcessJob: (@Sendable (UnownedJob, SchedulerID) -> Void)?, _ onLockDeadlock: (@Sendable ([String]) -> Void)?
  ) {
    let foreign = Locked(Foreign())
    self.foreign = foreign
    var own = observer
    own.calledByForeignThread = { call in
      foreign.withLock { foreign in
        foreign.count += 1
        if foreign.sites.count < Self.maximumForeignSites { foreign.sites.append(call) }
      }
      observer.calledByForeignThread?(call)
    }
    core = VirtualCore(queue, policy: policy, own, runProcessJob: runProcessJob, onLockDeadlock: onLockDeadlock)
    main = VirtualScheduler(core, .main)
    workers = VirtualScheduler(core, .workers)
    user = VirtualScheduler(core, .main, delayed: .step)
  }

  deinit { core.close() }

  /// Runs until no work is left, on the calling thread and, while closures wait at gates, on further threads.
  ///
  /// After any result other than `idle`, the runtime cannot be used again. Waits then return although their gates are
  /// closed, so every closure ends. Scheduled items are dropped.
  ///
  /// - Parameter beforeUnwinding: called on ``main`` before the waits return, to inspect the state.
  @discardableResult
  public func run(beforeUnwinding: (@Sendable (VirtualRunEnd) -> Void)? = nil) -> VirtualRunEnd {
    core.run(beforeUnwinding)
  }

  /// Whether the calling thread is the one that is running.
  package var isRunningHere: Bool { core.isMine }

  /// The ID of the running thread, or 0 if no thread is running.
  package var runningThread: UInt { core.runningThread }

  /// Lets the policy run other items before the running one continues. Returns whether other items ran.
  package func interrupt() -> Bool { core.interrupt() }

  /// Lets other items run until the lock at this address may be free. Returns false outside an item of the run.
  package func waitForLock(_ lock: UInt) -> Bool { core.waitForLock(lock) }

  /// Schedules a job of the process's executors.
  package func enqueue(_ job: UnownedJob, on scheduler: SchedulerID) {
    core.schedule(.processJob(job), .job, on: scheduler)
  }

  /// Schedules a job of the process's executors after a delay.
  ///
  /// - Parameter settles: whether the delay keeps its order with all other delays.
  package func enqueue(_ job: UnownedJob, on scheduler: SchedulerID, after delay: Duration, settles: Bool = false) {
    _ = core.schedule(.processJob(job), settles ? .settling : .sleep, on: scheduler, after: delay)
  }

  /// Tells the runtime that the test continues, because another task has resumed it.
  package func testContinues() {
    core.queueOfItem { queue in
      // The test may have waited for several tasks, of which the last one to end resumes it.
      queue.testTime = max(queue.current.nominal, queue.latestDelay)
      queue.latestDelay = .zero
    }
  }

  /// Tells the runtime that the running job of the test may be interrupted. Meanwhile, no delay ends that is due later:
  /// in a real run, the rest of the job takes no time.
  package func testMayPause() {
    core.queueOfItem { queue in
      if queue.settledUntil == nil { queue.settledUntil = queue.current.nominal }
    }
  }

  /// Tells the runtime that the test waits.
  package func testWaits() { core.queueOfItem { $0.settledUntil = nil } }

  /// Whether a delay has ended that is due after a sleep which the test begins now. In a real run, it would end later.
  package func isLate(for sleep: Duration) -> Bool {
    core.queueOfItem { $0.latestDelay > $0.testTime + sleep } ?? false
  }

  /// Lets the run end as soon as no item is ready. From now on, no delay ends. Call this method from an item of the run.
  package func endDelays() { core.queueOfItem { $0.delaysAreOver = true } }

  /// Drops all scheduled items, and accepts no new ones. Any later call is a foreign call.
  ///
  /// A scheduled item retains objects such as a bus, which in turn retain the runtime. If a runtime does not run until
  /// it is idle, close it to break this cycle.
  public func close() { core.close() }

  /// Creates a serial scheduler. Reports of waiting items include its label.
  public func serial(_ label: String) -> any Scheduler { VirtualScheduler(core, core.makeScheduler(label)) }

  /// Creates a serial scheduler for the completions of network requests. Under ``Timing/any``, its delayed actions may
  /// run earlier or later. If a response arrives in pieces, each piece schedules the next one.
  public func network(_ label: String) -> any Scheduler {
    VirtualScheduler(core, core.makeScheduler(label), delayed: .completion)
  }

  /// The virtual time since the runtime was created.
  public var now: Duration {
    core.touch(.clock)
    return core.figures.now
  }

  /// Creates a closed gate. Other items run while a closure waits at it.
  public func gate() -> any Gate { VirtualGate(core) }

  /// Starts a task. Its jobs run in the runtime, on threads that never block.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: core, operation: body)
  }

  /// Returns after a delay in virtual time. `Task.sleep` would wait in real time.
  public func sleep(for duration: Duration) async {
    await withUnsafeContinuation { continuation in
      _ = core.schedule(
        .call(RunQueue.Action { continuation.resume() }), .timer, on: .tasks, after: duration)
    }
  }

  /// How strictly the runtime keeps to due times.
  package var timing: Timing { core.queue.timing }

  /// Describes the running item's work to observers. The report of a schedule search shows the text. Without an
  /// observer, the text is not evaluated.
  public func note(_ text: @autoclosure () -> String) {
    guard let noted = core.observer.noted else { return }
    noted(text())
    if core.isMine { core.queue.current.notes += 1 }
  }

  /// Names the running item for observers; a note describes its work instead. Without an observer, the text is not
  /// evaluated.
  ///
  /// - Parameter onlyLooks: whether the item only reads state. If so, reports omit the item unless it has a note.
  package func name(_ text: @autoclosure () -> String, onlyLooks: Bool = false) {
    if let named = core.observer.named { named(text(), onlyLooks) }
  }

  /// Reports a fact about the running item to observers. Without an observer, the fact is not evaluated.
  package func mark(_ mark: @autoclosure () -> RunMark) {
    if let marked = core.observer.marked { marked(mark()) }
  }

  /// Declares what the running item accesses, other than the runtime itself. A search then runs only one of the schedules that
  /// differ only in the order of independent items. Declare every access that another item could observe.
  ///
  /// - Parameters:
  ///   - reading: the names of the values that the item reads.
  ///   - writing: the names of the values that the item changes.
  public func touches(reading: [String] = [], writing: [String] = []) {
    guard core.observer.touched != nil else { return }
    core.touch(.stated)
    for name in reading { core.touch(.read(name)) }
    for name in writing { core.touch(.write(name)) }
  }

  /// The number of closures that have run.
  public var steps: Int { core.figures.steps }

  /// Whether any work ever waited for a worker while all workers were blocked.
  public var poolStarved: Bool { core.figures.poolStarved }

  /// The virtual time that passed while an item was ready to run, because the policy let a delay end first.
  package var delayedWork: Duration { core.figures.delayedWork }

  /// The longest virtual time that ``main`` waited at a gate. The closures themselves take no virtual time.
  public var longestMainWait: Duration { core.figures.longestMainWait }

  /// The number of closures that have waited at a gate, and thus blocked a thread.
  package var waits: Int { core.figures.waits }

  /// The number of schedule calls during a run from a thread outside the run, or after ``close()``. Such work runs
  /// outside virtual time, so the run is not repeatable.
  public var foreignCalls: Int { foreign.withLock { $0.count } }

  /// The source locations of the first ten ``foreignCalls``.
  public var foreignSites: [ForeignCall] { foreign.withLock { $0.sites } }
}
