import Dispatch
public import Scheduling

/// A runtime in which nothing runs until the test says so, and then in the order in which it was scheduled.
///
/// Its time is virtual: it stands still except in ``advance(by:)`` and ``runAll()``.
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
  /// How long a wait at a closed gate lasts before it traps, unless stated otherwise.
  public static let standardPatience = Duration.seconds(10)

  private let core = VirtualCore.byHand()
  private let patience: Duration

  /// The serial main scheduler.
  public let main: any Scheduler

  /// The concurrent scheduler. Its actions, too, run one after the other.
  public let workers: any Scheduler

  /// Makes a runtime at time zero with nothing to do.
  ///
  /// - Parameter patience: how long, in real time, a wait at a closed gate lasts before it traps. While an action waits
  ///   no other runs, so only another thread can open the gate.
  public init(patience: Duration = standardPatience) {
    self.patience = patience
    main = VirtualScheduler(core, .main)
    workers = VirtualScheduler(core, .workers)
  }

  deinit { core.close() }

  /// Runs what is ready, and what that makes ready, until nothing is. The time stands still. Does nothing inside an action.
  public func runReady() { core.runByHand { $0 } }

  /// Lets the time pass, running each action when it is due. A negative duration counts as zero. Does nothing inside an
  /// action.
  public func advance(by duration: Duration) { core.runByHand { $0 + max(duration, .zero) } }

  /// Lets the time pass until nothing is scheduled any more. Never returns if something always schedules itself again.
  public func runAll() { core.runByHand { _ in nil } }

  /// Drops everything that waits, and takes nothing more.
  ///
  /// What is scheduled holds what it works on, such as a bus, and that holds the runtime. Close a runtime in which
  /// something is left that will never run, so that they let go of each other.
  public func close() { core.close() }

  /// Whether nothing is ready and no timer is left.
  public var isIdle: Bool { core.figures.isEmpty }

  /// The virtual time since the runtime was made.
  public var now: Duration { core.figures.now }

  /// A new serial scheduler; the label is not used.
  public func serial(_ label: String) -> any Scheduler { VirtualScheduler(core, core.makeScheduler(label)) }

  /// A gate that another thread must open: an action that waits for it traps when none does.
  public func gate() -> any Gate { PatientGate(patience: patience) }

  /// Starts a task whose jobs run in the runtime, each step between two awaits as one action.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: core, operation: body)
  }
}

/// A gate for a runtime that runs one item at a time on the test's thread. No other item runs during a wait, so only another thread
/// can open the gate. If none does, the wait traps instead of hanging.
struct PatientGate: Gate {
  private let semaphore = DispatchSemaphore(value: 0)
  private let patience: Duration

  init(patience: Duration) { self.patience = patience }

  func open() { semaphore.signal() }

  func wait() {
    // A longer timeout overflows in Dispatch.
    let seconds = min(patience, .seconds(100 * 365 * 86_400)) / .seconds(1)
    guard semaphore.wait(timeout: .now() + seconds) == .timedOut else { return }
    fatalError(
      "This gate is closed, and nothing else can run while a test runtime waits for it; no other thread opened it within "
        + "\(patience).")
  }
}
