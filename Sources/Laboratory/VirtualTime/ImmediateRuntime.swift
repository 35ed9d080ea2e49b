public import Scheduling

/// A runtime that runs each action immediately, on the thread that schedules it. Delays take no time.
///
/// If an action schedules another one, the new action runs after the current one has ended, at any nesting depth.
/// Waiting for a delay advances ``now`` to the end of the delay.
public final class ImmediateRuntime: Runtime {
  private let core = VirtualCore.byHand { core in core.runByHand { _ in nil } }

  /// The serial main scheduler.
  public let main: any Scheduler

  /// The concurrent scheduler. Its actions also run one after another.
  public let workers: any Scheduler

  /// Creates a runtime at time zero.
  public init() {
    main = VirtualScheduler(core, .main)
    workers = VirtualScheduler(core, .workers)
  }

  deinit { core.close() }

  /// The sum of all delays so far.
  public var now: Duration { core.figures.now }

  /// Creates a serial scheduler. The label is unused.
  public func serial(_ label: String) -> any Scheduler { VirtualScheduler(core, core.makeScheduler(label)) }

  /// Creates a gate that another thread must open. If no thread opens it, an action that waits for it traps.
  public func gate() -> any Gate { TimedGate(timeout: ManualRuntime.standardTimeout) }

  /// Starts a task. Its jobs are actions of the runtime.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: core, operation: body)
  }
}
