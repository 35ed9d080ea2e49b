public import Scheduling

/// A runtime in virtual time, on which a run is the same every time.
///
/// One closure, or one job of a task, runs at a time and to its end; only a wait at a gate lets others go first. The time
/// stands still while anything is ready, and then jumps to the next timer. Data races inside a closure are out of its
/// reach: they are the thread sanitizer's work.
///
/// ```swift
/// let runtime = VirtualRuntime()
/// _ = runtime.main.schedule(after: .seconds(3600)) { print("an hour later") }
/// runtime.run()  // prints at once
/// ```
///
/// Any thread may schedule before a run; during a run only what runs in it may. Anything else is reported in
/// ``foreignCalls``.
public final class VirtualRuntime: Runtime {
  /// Default limit on closures run while the time stands still. A hundred downloads that arrive at one moment, in a
  /// hundred pieces each, are no livelock.
  public static let standardMostStepsAtOnce = 100_000
  /// Default limit on the closures of all runs together: a timer that starts itself again and again comes to an end, too.
  public static let standardMostSteps = 1_000_000
  /// Of how many foreign calls the sites are kept.
  private static let mostForeignSites = 10

  /// The serial scheduler of the user interface.
  public let main: any Scheduler
  /// The concurrent scheduler, with the threads of the pool.
  public let workers: any Scheduler
  /// ``main``, for steps of the user: under ``Timing/any`` what it schedules with a delay may run earlier or later.
  public let user: any Scheduler
  private let core: VirtualCore
  private let foreign: Locked<Foreign>

  private struct Foreign: Sendable {
    var count = 0
    var sites: [ForeignCall] = []
  }

  /// Makes a runtime at time zero with nothing to do.
  ///
  /// - Parameters:
  ///   - pool: the threads of ``workers``.
  ///   - timing: whether network completions and steps of the user keep to their due times.
  ///   - mostStepsAtOnce: after how many closures at one time a run counts as a livelock.
  ///   - mostSteps: after how many closures in all a run counts as endless.
  ///   - policy: decides which of several ready items is next. Nil for first in, first out.
  ///   - observer: is called during the run.
  public convenience init(
    pool: WorkerPool = .linux(cores: 2), timing: Timing = .exact, mostStepsAtOnce: Int = standardMostStepsAtOnce,
    mostSteps: Int = standardMostSteps, policy: (any SchedulePolicy)? = nil,
    observer: RunObserver = RunObserver()
  ) {
    self.init(
      RunQueue(pool: pool, timing: timing, mostStepsAtOnce: mostStepsAtOnce, mostSteps: mostSteps), policy, observer,
      nil)
  }

  /// Makes a runtime that runs jobs of the process's executors, too.
  ///
  /// - Parameter runProcessJob: called with each job that was put in by `enqueue`, and its scheduler.
  package convenience init(
    timing: Timing, mostSteps: Int, policy: any SchedulePolicy, observer: RunObserver,
    runProcessJob: @escaping @Sendable (UnownedJob, SchedulerID) -> Void
  ) {
    self.init(
      RunQueue(pool: .fixed(width: 4), timing: timing, mostStepsAtOnce: mostSteps, mostSteps: mostSteps), policy,
      observer, runProcessJob)
  }

  private init(
    _ queue: RunQueue, _ policy: (any SchedulePolicy)?, _ observer: RunObserver,
    _ runProcessJob: (@Sendable (UnownedJob, SchedulerID) -> Void)?
  ) {
    let foreign = Locked(Foreign())
    self.foreign = foreign
    var own = observer
    own.calledByForeignThread = { call in
      foreign.withLock { foreign in
        foreign.count += 1
        if foreign.sites.count < Self.mostForeignSites { foreign.sites.append(call) }
      }
      observer.calledByForeignThread?(call)
    }
    core = VirtualCore(queue, policy: policy, own, runProcessJob: runProcessJob)
    main = VirtualScheduler(core, .main)
    workers = VirtualScheduler(core, .workers)
    user = VirtualScheduler(core, .main, delayed: .step)
  }

  deinit { core.close() }

  /// Runs until nothing is left to do. On the calling thread, and on further ones where closures wait at gates.
  ///
  /// After anything but `idle` the runtime is used up: waits return without their gates being open, so that every closure
  /// comes to its end, and what is scheduled is dropped.
  ///
  /// - Parameter beforeUnwinding: called on ``main`` before that happens, to see how things stand.
  @discardableResult
  public func run(beforeUnwinding: (@Sendable (VirtualRunEnd) -> Void)? = nil) -> VirtualRunEnd {
    core.run(beforeUnwinding)
  }

  /// Whether the calling thread is the one that runs.
  package var isRunningHere: Bool { core.isMine }

  /// The thread that runs; 0 for none.
  package var runningThread: UInt { core.runningThread }

  /// Puts a job of the process's executors among the items.
  package func enqueue(_ job: UnownedJob, on scheduler: SchedulerID) {
    core.schedule(.processJob(job), .job, on: scheduler)
  }

  /// Puts a job of the process's executors among the items, to run after a delay.
  package func enqueue(_ job: UnownedJob, on scheduler: SchedulerID, after delay: Duration) {
    _ = core.schedule(.processJob(job), .sleep, on: scheduler, after: delay)
  }

  /// Drops everything that waits, and takes nothing more: what is scheduled later is a foreign call.
  ///
  /// What is scheduled holds what it works on, such as a bus, and that holds the runtime. Close a runtime that does not
  /// run until it is idle, so that they let go of each other.
  public func close() { core.close() }

  /// A new serial scheduler. The label names it where it is found waiting.
  public func serial(_ label: String) -> any Scheduler { VirtualScheduler(core, core.makeScheduler(label)) }

  /// A new serial scheduler for the completions of network requests: under ``Timing/any`` what it schedules with a delay
  /// may run earlier or later. A request that is answered in pieces schedules each of them when the one before has run.
  public func network(_ label: String) -> any Scheduler {
    VirtualScheduler(core, core.makeScheduler(label), delayed: .completion)
  }

  /// The virtual time since the runtime was made.
  public var now: Duration {
    core.touch(.clock)
    return core.figures.now
  }

  /// A new closed gate. Waiting at it lets everything else go on.
  public func gate() -> any Gate { VirtualGate(core) }

  /// Starts a task whose jobs run in the runtime, on threads that never block.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: core, operation: body)
  }

  /// Ends after a delay of virtual time: `Task.sleep` would wait in real time.
  public func sleep(for duration: Duration) async {
    await withUnsafeContinuation { continuation in
      _ = core.schedule(
        .call(RunQueue.Action { continuation.resume() }), .timer, on: .tasks, after: duration)
    }
  }

  /// Says what the running item does, for those who look at the run: it appears beside the item in the report of a
  /// schedule search. The text is not made where nothing looks.
  public func note(_ text: @autoclosure () -> String) {
    if let noted = core.observer.noted { noted(text()) }
  }

  /// Says what the running item is, for those who look at the run; a note says what it does. The text is not made where nothing
  /// looks.
  ///
  /// - Parameter onlyLooks: whether it does nothing else, so that without a note it is not worth a row.
  package func name(_ text: @autoclosure () -> String, onlyLooks: Bool = false) {
    if let named = core.observer.named { named(text(), onlyLooks) }
  }

  /// Says what the running item touches beside the runtime, for a search that runs only one of several schedules which
  /// differ in the order of independent items. It must be all of it: whatever another item could notice.
  ///
  /// - Parameters:
  ///   - reading: names of what it looks at.
  ///   - writing: names of what it changes.
  public func touches(reading: [String] = [], writing: [String] = []) {
    guard core.observer.touched != nil else { return }
    core.touch(.stated)
    for name in reading { core.touch(.read(name)) }
    for name in writing { core.touch(.write(name)) }
  }

  /// How many closures have run.
  public var steps: Int { core.figures.steps }

  /// Whether work ever waited for a worker while all of them were blocked.
  public var poolStarved: Bool { core.figures.poolStarved }

  /// The longest virtual time that ``main`` waited at a gate. Closures themselves take no time.
  public var longestMainWait: Duration { core.figures.longestMainWait }

  /// How often something was scheduled during a run by a thread that does not belong to it, or after ``close()``: it
  /// has escaped from virtual time, and the run is not the same every time.
  public var foreignCalls: Int { foreign.withLock { $0.count } }

  /// Where the first ten of the ``foreignCalls`` came from.
  public var foreignSites: [ForeignCall] { foreign.withLock { $0.sites } }
}
