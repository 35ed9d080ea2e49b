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
