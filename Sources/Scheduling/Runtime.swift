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
