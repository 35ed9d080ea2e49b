/// The schedulers that run all work, and the clock that they share.
///
/// ``DispatchRuntime`` is the production runtime. A test or a simulation provides another one, which the bus, the model
/// and the views then use.
public protocol Runtime: Sendable {
  /// The serial scheduler of the user interface.
  var main: any Scheduler { get }

  /// The concurrent scheduler for work that may run in any order.
  var workers: any Scheduler { get }

  /// Creates a serial scheduler. Two calls with the same label return independent schedulers.
  func serial(_ label: String) -> any Scheduler

  /// The monotonic time since the runtime started.
  var now: Duration { get }

  /// Creates a closed gate.
  func gate() -> any Gate

  /// Starts a task on the runtime's executor. This package starts all its tasks this way.
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>

  /// Runs `body` isolated to the main actor. Called only on ``main``.
  ///
  /// The default implementation is for runtimes whose ``main`` is the main queue. A runtime with another main scheduler
  /// grants the isolation itself, and a runtime that wraps another one calls that runtime's method.
  func withMainActor<Value: Sendable>(_ body: @MainActor () throws -> Value) rethrows -> Value
}

/// A handle that can cancel an action, a wait or a fetch.
///
/// Releasing the handle has no effect, because the work ends by itself. Keep the handle only if you may want to cancel.
/// It differs from a bus's `Subscription`, which never ends by itself and is cancelled when it is released. The
/// overview of `EventBus` contains a table of all tokens.
public protocol Cancellation: Sendable {
  /// Ends the work early, or prevents it from starting. This method can be called from any thread, any number of times.
  /// It has no effect after the work has ended.
  ///
  /// A scheduled action that has already started runs to completion.
  func cancel()
}

/// Runs work on a queue, on a pool, or in virtual time.
///
/// The bus, the model and the views reach every thread through this protocol. So the same code runs on Dispatch in
/// production and under a clock that a test advances.
public protocol Scheduler: AnyObject, Sendable {
  /// Runs `action` asynchronously, never inside this call. Can be called on any thread. Actions run in first-in,
  /// first-out order if ``isSerial`` is true.
  func schedule(_ action: @escaping @Sendable () -> Void)

  /// Runs `action` after `delay`. A delay of zero or less means as soon as possible. Can be called on any thread. If
  /// ``isSerial`` is true, actions run in the order of their due times. Actions with equal due times run in the order
  /// in which they were scheduled.
  ///
  /// Cancelling releases the action without running it.
  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation

  /// Whether actions run one at a time, in the order in which they were scheduled.
  var isSerial: Bool { get }

  /// Whether the caller is running on this scheduler.
  var isCurrent: Bool { get }
}

/// A gate that blocks a thread until it is opened. Nothing else in this package may block a thread.
public protocol Gate: Sendable {
  /// Blocks the calling thread until ``open()`` has released this wait. Do not call it on the main scheduler.
  func wait()

  /// Releases one waiter, or the next one to arrive. Waiters are not released in FIFO order. Can be called on any
  /// thread.
  func open()
}
