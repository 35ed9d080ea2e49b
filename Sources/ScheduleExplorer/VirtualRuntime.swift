public import EventBus

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
/// Any thread may schedule before a run; during a run only what runs in it may, and anything else is counted in
/// ``foreignCalls``.
public final class VirtualRuntime: Runtime {
  /// The greatest number of closures while the time stands still, unless told otherwise. A hundred downloads that arrive
  /// at one moment, in a hundred pieces each, are no livelock.
  public static let standardMostStepsAtOnce = 100_000
  /// The greatest number of closures of all runs together, unless told otherwise: a timer that starts itself again and
  /// again comes to an end, too.
  public static let standardMostSteps = 1_000_000

  /// The serial scheduler of the user interface.
  public let main: any Scheduler
  /// The concurrent scheduler, with the threads of the pool.
  public let workers: any Scheduler
  private let core: VirtualCore
  private let executor: VirtualTaskExecutor

  /// Makes a runtime at time zero with nothing to do.
  ///
  /// - Parameters:
  ///   - pool: the threads of ``workers``.
  ///   - mostStepsAtOnce: after how many closures at one time a run counts as going round in circles.
  ///   - mostSteps: after how many closures in all a run counts as endless.
  ///   - choose: asked which of several ready closures is next, by its place in the order in which they became ready.
  ///     Nil for always the first. It must not call the runtime.
  public init(
    pool: WorkerPool = .linux(cores: 2), mostStepsAtOnce: Int = standardMostStepsAtOnce,
    mostSteps: Int = standardMostSteps, choose: (@Sendable (_ count: Int) -> Int)? = nil
  ) {
    let virtual = VirtualState(pool: pool, mostStepsAtOnce: mostStepsAtOnce, mostSteps: mostSteps)
    core = VirtualCore(virtual, choose: choose)
    main = VirtualScheduler(core, .main)
    workers = VirtualScheduler(core, .workers)
    executor = VirtualTaskExecutor(core)
  }

  deinit { core.dismissThreads() }

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

  /// A new serial scheduler. The label names it where it is found waiting.
  public func serial(_ label: String) -> any Scheduler { VirtualScheduler(core, core.makeLane(label)) }

  /// The virtual time since the runtime was made.
  public var now: Duration { core.now }

  /// A new closed gate. Waiting at it lets everything else go on.
  public func gate() -> any Gate { VirtualGate(core) }

  /// Starts a task whose jobs run in the runtime, on threads that never block.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: executor, operation: body)
  }

  /// How many closures have run.
  public var steps: Int { core.steps }

  /// Whether work ever waited for a worker while all of them were blocked.
  public var poolStarved: Bool { core.poolStarved }

  /// The longest virtual time that ``main`` waited at a gate. Closures themselves take no time.
  public var longestMainWait: Duration { core.longestMainWait }

  /// How often something was scheduled during a run by a thread that does not belong to it: whatever that was has escaped
  /// from virtual time, and the run is not the same every time.
  public var foreignCalls: Int { core.foreignCalls }
}
