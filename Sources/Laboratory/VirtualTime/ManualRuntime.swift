import Dispatch
public import Scheduling

/// A runtime in which nothing runs until the test requests it. Actions then run in scheduling order.
///
/// Its time is virtual: it advances only in ``advance(by:)`` and ``runAll()``.
///
/// ```swift
/// let runtime = ManualRuntime()
/// let bus = EventBus(runtime: runtime)
/// let subscription = bus.subscribe(to: Saved.self, on: .main) { print("saved", $0.file) }
/// bus.post(Saved(file: "notes.txt"))  // prints nothing
/// runtime.runReady()  // saved notes.txt
/// ```
///
/// Any thread may schedule actions, but only one thread at a time may run the runtime.
public final class ManualRuntime: Runtime {
  /// The default time for which an action waits at a closed gate before it traps.
  public static let standardTimeout = Duration.seconds(10)

  private let core = VirtualCore.byHand()
  private let timeout: Duration

  /// The serial main scheduler.
  public let main: any Scheduler

  /// The concurrent scheduler. Its actions also run one after another.
  public let workers: any Scheduler

  /// Creates an idle runtime at time zero.
  ///
  /// - Parameter timeout: the real time for which an action waits at a closed gate before it traps. No other action
  ///   runs during a wait, so only another thread can open the gate.
  public init(timeout: Duration = standardTimeout) {
    self.timeout = timeout
    main = VirtualScheduler(core, .main)
    workers = VirtualScheduler(core, .workers)
  }

  deinit { core.close() }

  /// Runs all ready actions, including any that become ready during the call. The clock does not advance. Has no effect
  /// when called inside an action.
  public func runReady() { core.runByHand { $0 } }

  /// Advances the clock, and runs each action when it is due. A negative duration counts as zero. Has no effect when
  /// called inside an action.
  public func advance(by duration: Duration) { core.runByHand { $0 + max(duration, .zero) } }

  /// Advances the clock until no action is scheduled. Never returns if an action keeps rescheduling itself.
  public func runAll() { core.runByHand { _ in nil } }

  /// Drops all scheduled actions, and accepts no new ones.
  ///
  /// A scheduled action retains objects such as a bus, which in turn retain the runtime. If some actions will never
  /// run, close the runtime to break this cycle.
  public func close() { core.close() }

  /// Whether no action is ready and no timer is pending.
  public var isIdle: Bool { core.figures.isEmpty }

  /// The virtual time since the runtime was created.
  public var now: Duration { core.figures.now }

  /// Creates a serial scheduler. The label is unused.
  public func serial(_ label: String) -> any Scheduler { VirtualScheduler(core, core.makeScheduler(label)) }

  /// Creates a gate that another thread must open. If no thread opens it, an action that waits for it traps.
  public func gate() -> any Gate { TimedGate(timeout: timeout) }

  /// Starts a task. Each part of the task between two awaits is one action of the runtime.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: core, operation: body)
  }
}

/// A gate for a runtime that runs one item at a time on the test's thread. No other item runs during a wait, so only
/// another thread can open the gate. If no thread opens it, the wait traps instead of hanging.
struct TimedGate: Gate {
  private let semaphore = DispatchSemaphore(value: 0)
  private let timeout: Duration

  init(timeout: Duration) { self.timeout = timeout }

  func open() { semaphore.signal() }

  func wait() {
    // A longer timeout would overflow in Dispatch.
    let seconds = min(timeout, .seconds(100 * 365 * 86_400)) / .seconds(1)
    guard semaphore.wait(timeout: .now() + seconds) == .timedOut else { return }
    fatalError(
      "This gate is closed. No other thread opened it within \(timeout). "
        + "While a test runtime waits at a gate, it runs nothing else.")
  }
}
