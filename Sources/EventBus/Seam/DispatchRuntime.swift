import Dispatch

/// The runtime of production: Dispatch queues, the real clock, the global concurrent executor.
public struct DispatchRuntime: Runtime {
  /// The one runtime of the process. Its main scheduler is the main queue.
  public static let shared = DispatchRuntime()

  public let main: any Scheduler
  public let workers: any Scheduler
  private let start: ContinuousClock.Instant

  private init() {
    start = .now
    main = DispatchScheduler.forMain
    // Blocking work on a queue of default quality starves on Linux, where that pool grows by one thread a second.
    workers = DispatchScheduler(
      DispatchQueue(label: "workers", qos: .userInitiated, attributes: .concurrent), isSerial: false)
  }

  public func serial(_ label: String) -> any Scheduler {
    DispatchScheduler(DispatchQueue(label: label), isSerial: true)
  }

  public var now: Duration { start.duration(to: .now) }

  public func gate() -> any Gate { SemaphoreGate() }

  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(operation: body)
  }
}
