public import Scheduling

/// The clock of a runtime, for code that takes `any Clock<Duration>`.
///
/// ```swift
/// let runtime = ManualRuntime()
/// let debounce = Debounce(clock: runtime.clock)
/// ```
///
/// A task that sleeps on this clock resumes on its own executor after the runtime's time has advanced. Start the task with
/// the runtime's `task`, so that the runtime also runs what follows the sleep.
public struct RuntimeClock: Clock {
  /// A time since the runtime was created.
  public struct Instant: InstantProtocol {
    /// The time since the runtime was created.
    public let offset: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private let runtime: any Runtime

  init(_ runtime: any Runtime) { self.runtime = runtime }

  /// The current time of the runtime.
  public var now: Instant { Instant(offset: runtime.now) }
  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until the runtime's time reaches the deadline. The tolerance is ignored.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let sleep = Sleep()
    let timer = runtime.workers.schedule(after: max(.zero, deadline.offset - runtime.now)) { sleep.end() }
    defer { timer.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { sleep.begin($0) }
    } onCancel: {
      sleep.end()
    }
    try Task.checkCancellation()
  }
}

extension Runtime {
  /// The runtime's time as a clock of the standard library.
  public var clock: RuntimeClock { RuntimeClock(self) }
}

/// One wait of a task, which ends once.
private final class Sleep: Sendable {
  private enum State {
    case awake
    case sleeping(CheckedContinuation<Void, Never>)
    case ended
  }

  private let state = Locked(State.awake)

  func begin(_ continuation: CheckedContinuation<Void, Never>) {
    let hasEnded = state.withLock { state in
      if case .ended = state { return true }
      state = .sleeping(continuation)
      return false
    }
    if hasEnded { continuation.resume() }
  }

  func end() {
    let sleeping = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .ended }
      if case .sleeping(let continuation) = state { return continuation }
      return nil
    }
    sleeping?.resume()
  }
}
