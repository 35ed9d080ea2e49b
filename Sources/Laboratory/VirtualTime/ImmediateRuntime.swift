public import Scheduling

/// A runtime in which everything runs at once, on the thread that schedules it, and delays take no time.
///
/// What an action schedules waits until the action has ended: nothing runs inside another action, however deep the chain.
/// Waiting for a delay advances ``now`` to its end.
public final class ImmediateRuntime: Runtime {
  private let core = VirtualCore.byHand { core in core.runByHand { _ in nil } }

  /// The serial main scheduler.
  public let main: any Scheduler

  /// The concurrent scheduler. Its actions, too, run one after the other.
  public let workers: any Scheduler

  /// Makes a runtime at time zero.
  public init() {
    main = VirtualScheduler(core, .main)
    workers = VirtualScheduler(core, .workers)
  }

  deinit { core.close() }

  /// The sum of all delays so far.
  public var now: Duration { core.figures.now }

  /// A new serial scheduler; the label is not used.
  public func serial(_ label: String) -> any Scheduler { VirtualScheduler(core, core.makeScheduler(label)) }

  /// A gate that another thread must open: an action that waits for it traps when none does.
  public func gate() -> any Gate { PatientGate(patience: ManualRuntime.standardPatience) }

  /// Starts a task whose jobs are actions of the runtime.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: core, operation: body)
  }
}
