/// The schedulers where work runs, and the clock that they share.
///
/// ``DispatchRuntime`` is the real one. A test or a simulation brings its own, and everything built on the bus follows it.
public protocol Runtime: Sendable {
  /// The serial scheduler of the user interface.
  var main: any Scheduler { get }

  /// The concurrent scheduler for work that need not run in order.
  var workers: any Scheduler { get }

  /// A new serial scheduler. Two calls with the same label give two independent schedulers.
  func serial(_ label: String) -> any Scheduler

  /// The time since the runtime started, monotonic.
  var now: Duration { get }

  /// A new closed gate.
  func gate() -> any Gate

  /// Starts a task on the runtime's executor: the only way that this package starts one.
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

/// The handle of an action, a wait or a fetch that can be cancelled.
///
/// Dropping the value changes nothing: the work ends by itself. Keep it only if you may want to cancel. It differs from a
/// `Subscription` of the bus, which has no end and is cancelled when it is dropped. The overview of `EventBus` has a table of all
/// tokens.
public protocol Cancellation: Sendable {
  /// Ends the work early, or prevents that it begins. Any thread; idempotent; does nothing once the work has ended.
  ///
  /// A scheduled action that has begun runs to its end.
  func cancel()
}

/// Runs work: on a queue, on a pool, or in virtual time.
///
/// The bus, the model and the views reach every thread through this protocol, so that the same code runs on Dispatch in
/// production and under a clock that a test advances.
public protocol Scheduler: AnyObject, Sendable {
  /// Runs `action` as soon as it has room, never inside this call. Any thread. First in, first out when
  /// ``isSerial`` is true.
  func schedule(_ action: @escaping @Sendable () -> Void)

  /// Runs `action` once `delay` has passed. A delay of zero or less means as soon as possible. Any thread. In the order of
  /// their times when ``isSerial`` is true, those of one time in the order in which they were asked for.
  ///
  /// Cancelling releases the action without running it.
  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation

  /// Whether actions run one at a time, in the order they were scheduled.
  var isSerial: Bool { get }

  /// Whether the caller is running on this scheduler now.
  var isCurrent: Bool { get }
}

/// A door that blocks a thread until somebody opens it: the only thing in this package that may block.
public protocol Gate: Sendable {
  /// Blocks the calling thread until ``open()`` has been called once for this wait. Never call it on the main scheduler.
  func wait()

  /// Lets one waiter through, now or the next that comes: whoever is quickest, not who has waited longest. Any thread.
  func open()
}
