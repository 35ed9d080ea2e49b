/// The schedulers of all work, and the clock that they share.
///
/// ``DispatchRuntime`` is the real one. A test or a simulation provides another, and the bus, the model and the views
/// use it.
public protocol Runtime: Sendable {
  /// The serial scheduler of the user interface.
  var main: any Scheduler { get }

  /// The concurrent scheduler for work in any order.
  var workers: any Scheduler { get }

  /// Makes a new serial scheduler. Two calls with the same label return independent schedulers.
  func serial(_ label: String) -> any Scheduler

  /// The time since the runtime started, monotonic.
  var now: Duration { get }

  /// Makes a closed gate.
  func gate() -> any Gate

  /// Starts a task on the runtime's executor. This package starts tasks in no other way.
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

/// The handle of an action, a wait or a fetch that can be cancelled.
///
/// Releasing the value has no effect: the work ends by itself. Keep it only if you may want to cancel. It differs from
/// a `Subscription` of the bus, which never ends by itself and is cancelled when it is released. The overview of
/// `EventBus` has a table of all tokens.
public protocol Cancellation: Sendable {
  /// Ends the work early, or prevents its start. Any thread; idempotent. It has no effect after the work has ended.
  ///
  /// A scheduled action that has started runs to its end.
  func cancel()
}

/// Runs work: on a queue, on a pool, or in virtual time.
///
/// The bus, the model and the views reach every thread through this protocol, so that the same code runs on Dispatch in
/// production and under a clock that a test advances.
public protocol Scheduler: AnyObject, Sendable {
  /// Runs `action` asynchronously, never inside this call. Any thread. First in, first out if ``isSerial`` is true.
  func schedule(_ action: @escaping @Sendable () -> Void)

  /// Runs `action` after `delay`. A delay of zero or less means as soon as possible. Any thread. If ``isSerial`` is
  /// true, actions run in the order of their times; equal times follow the order of the calls.
  ///
  /// Cancelling releases the action without running it.
  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation

  /// Whether actions run one at a time, in the order they were scheduled.
  var isSerial: Bool { get }

  /// Whether the caller is running on this scheduler.
  var isCurrent: Bool { get }
}

/// A gate that blocks a thread until it is opened. Nothing else in this package may block.
public protocol Gate: Sendable {
  /// Blocks the calling thread until ``open()`` has released this wait. Do not call it on the main scheduler.
  func wait()

  /// Releases one waiter, or the next one to arrive. The order among waiters is not FIFO. Any thread.
  func open()
}
