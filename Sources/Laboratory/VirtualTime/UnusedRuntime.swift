public import Scheduling

/// A runtime for code that must not schedule anything. It reports each attempt, and runs nothing.
public final class UnusedRuntime: Runtime {
  private let onUse: @Sendable (String) -> Void

  /// Creates a runtime that calls `onUse` with a description of each use, on the calling thread. By default, any use
  /// traps.
  public init(onUse: @escaping @Sendable (String) -> Void = { fatalError("Unexpected use of the runtime: \($0).") }) {
    self.onUse = onUse
    main = UnusedScheduler("main", isSerial: true, onUse)
    workers = UnusedScheduler("workers", isSerial: false, onUse)
  }

  /// A serial scheduler that runs nothing.
  public let main: any Scheduler

  /// A concurrent scheduler that runs nothing.
  public let workers: any Scheduler

  /// A serial scheduler that runs nothing.
  public func serial(_ label: String) -> any Scheduler { UnusedScheduler(label, isSerial: true, onUse) }

  /// Always zero.
  public var now: Duration { .zero }

  /// Creates a gate that another thread must open. If no thread opens it, a wait for it traps.
  public func gate() -> any Gate { TimedGate(timeout: ManualRuntime.standardTimeout) }

  /// Reports the task and returns an empty task.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    onUse("task")
    return Task.detached {}
  }
}

private final class UnusedScheduler: Scheduler {
  let isSerial: Bool
  let isCurrent = false
  private let label: String
  private let onUse: @Sendable (String) -> Void

  init(_ label: String, isSerial: Bool, _ onUse: @escaping @Sendable (String) -> Void) {
    self.label = label
    self.isSerial = isSerial
    self.onUse = onUse
  }

  func schedule(_ action: @escaping @Sendable () -> Void) { onUse("schedule on \(label)") }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    onUse("schedule on \(label) after \(delay)")
    return NoCancellation()
  }
}

private struct NoCancellation: Cancellation {
  func cancel() {}
}
