public import EventBus

/// A runtime in which nothing runs until the test says so, and then in the order in which it was scheduled.
///
/// Its time is virtual: it stands still except in ``advance(by:)``.
///
/// ```swift
/// let runtime = ManualRuntime()
/// let bus = EventBus(runtime: runtime)
/// let subscription = bus.subscribe(to: Saved.self, on: .main) { print("saved", $0.file) }
/// bus.post(Saved(file: "notes.txt"))  // prints nothing
/// runtime.runReady()  // saved notes.txt
/// ```
///
/// Any thread may schedule; one thread at a time may run.
public final class ManualRuntime: Runtime {
  private let agenda = Agenda()
  private let executor: AgendaTaskExecutor

  /// The serial main scheduler.
  public let main: any Scheduler

  /// The concurrent scheduler. Its actions, too, run one after the other.
  public let workers: any Scheduler

  /// Makes a runtime at time zero with nothing to do.
  public init() {
    main = AgendaScheduler(agenda, isSerial: true) { _ in }
    let workers = AgendaScheduler(agenda, isSerial: false) { _ in }
    self.workers = workers
    executor = AgendaTaskExecutor(workers)
  }

  /// Runs what is ready, and what that makes ready, until nothing is. The time stands still.
  public func runReady() { agenda.runReady() }

  /// Lets the time pass, running each action when it is due. A negative duration counts as zero.
  public func advance(by duration: Duration) {
    let end = agenda.now + max(duration, .zero)
    runReady()
    while agenda.releaseTimer(dueBy: end) { runReady() }
    agenda.moveTime(to: end)
  }

  /// Lets the time pass until nothing is scheduled any more. Never returns if something always schedules itself again.
  public func runAll() {
    runReady()
    while agenda.releaseTimer(dueBy: nil) { runReady() }
  }

  /// Whether nothing is ready and no timer is left.
  public var isIdle: Bool { agenda.isIdle }

  /// The virtual time since the runtime was made.
  public var now: Duration { agenda.now }

  /// A new serial scheduler; the label is not used.
  public func serial(_ label: String) -> any Scheduler { AgendaScheduler(agenda, isSerial: true) { _ in } }

  /// A gate that traps when an action waits for it while it is closed.
  public func gate() -> any Gate { CountingGate() }

  /// Starts a task whose jobs are actions of ``workers``.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: executor, operation: body)
  }
}
