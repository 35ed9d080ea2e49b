public import EventBus

/// A runtime in which everything runs at once, on the thread that schedules it, and delays take no time.
///
/// What an action schedules waits until the action has ended: nothing runs inside another action, however deep the chain.
/// Waiting for a delay moves ``now`` to its end.
public final class ImmediateRuntime: Runtime {
  private let agenda = Agenda()
  private let executor: AgendaTaskExecutor

  /// The serial main scheduler.
  public let main: any Scheduler

  /// The concurrent scheduler. Its actions, too, run one after the other.
  public let workers: any Scheduler

  /// Makes a runtime at time zero.
  public init() {
    main = AgendaScheduler(agenda, isSerial: true, whenScheduled: Self.runEverything)
    let workers = AgendaScheduler(agenda, isSerial: false, whenScheduled: Self.runEverything)
    self.workers = workers
    executor = AgendaTaskExecutor(workers)
  }

  /// The sum of all delays so far.
  public var now: Duration { agenda.now }

  /// A new serial scheduler; the label is not used.
  public func serial(_ label: String) -> any Scheduler {
    AgendaScheduler(agenda, isSerial: true, whenScheduled: Self.runEverything)
  }

  /// A gate that traps when an action waits for it while it is closed.
  public func gate() -> any Gate { CountingGate() }

  /// Starts a task whose jobs are actions of ``workers``.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: executor, operation: body)
  }

  private static func runEverything(_ agenda: Agenda) {
    repeat { agenda.runReady() } while agenda.isAtRest && agenda.releaseTimer(dueBy: nil)
  }
}
