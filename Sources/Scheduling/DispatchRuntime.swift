import Dispatch

/// The runtime of production: Dispatch queues, the real clock, the global concurrent executor.
public struct DispatchRuntime: Runtime {
  /// The one runtime of the process. Its main scheduler is the main queue.
  public static let shared = DispatchRuntime()

  /// The main queue.
  public let main: any Scheduler
  /// A concurrent queue of user-initiated quality.
  public let workers: any Scheduler
  private let start: ContinuousClock.Instant

  private init() {
    start = .now
    main = DispatchScheduler.forMain
    // Blocking work on a queue of default quality starves on Linux, where that pool grows by one thread a second.
    workers = DispatchScheduler(
      DispatchQueue(label: "workers", qos: .userInitiated, attributes: .concurrent), isSerial: false)
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
