import Dispatch

/// The runtime of production: Dispatch queues, the real clock, the global concurrent executor.
public struct DispatchRuntime: Runtime {
  /// The one runtime of the process. Its main scheduler is the main queue.
  public static let shared = DispatchRuntime()

  /// The main queue.
  public let main: any Scheduler
  /// The global queue of user-initiated quality.
  public let workers: any Scheduler
  private let start: ContinuousClock.Instant

  private init() {
    start = .now
    main = DispatchScheduler.forMain
    // Actions run on the global queue. The labelled queue before it holds the mark that `isCurrent` looks for.
    // Blocking calls at default quality starve on Linux: that pool grows by one thread a second. At this quality, 12 fetches of
    // 50 ms took 0.31 s instead of 10 s. A client that blocks must still bound how many threads it blocks.
    workers = DispatchScheduler(
      DispatchQueue(label: "workers", attributes: .concurrent, target: .global(qos: .userInitiated)), isSerial: false)
  }

  /// A new serial queue with this label.
  public func serial(_ label: String) -> any Scheduler {
    DispatchScheduler(DispatchQueue(label: label), isSerial: true)
  }

  /// The time since ``shared`` was first used.
  public var now: Duration { start.duration(to: .now) }

  /// A new closed gate, made of a semaphore.
  public func gate() -> any Gate { SemaphoreGate() }

  /// Starts a detached task on the global concurrent executor.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(operation: body)
  }
}
