public import Dispatch

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

/// A scheduler that is a Dispatch queue.
public final class DispatchScheduler: Scheduler {
  /// Identifies the queue. On Linux, one queue can have several `DispatchQueue` objects, such as the main queue.
  package final class Identity: Sendable {}

  private static let current = DispatchSpecificKey<Identity>()
  private static let finding = Locked(())

  /// The main queue.
  package static let forMain = DispatchScheduler(.main, isSerial: true)

  /// The queue on which actions run.
  public let queue: DispatchQueue
  /// As given to the initialiser.
  public let isSerial: Bool
  package let identity: Identity
  private let timers: DispatchTimers

  /// Makes a scheduler of a queue.
  ///
  /// - Parameters:
  ///   - queue: where actions run.
  ///   - isSerial: whether the queue is serial. Dispatch cannot tell, so the caller says.
  public init(_ queue: DispatchQueue, isSerial: Bool) {
    self.queue = queue
    self.isSerial = isSerial
    timers = DispatchTimers(on: queue, isSerial: isSerial)
    identity = Self.finding.withLock { _ in
      if let known = queue.getSpecific(key: Self.current) { return known }
      let identity = Identity()
      queue.setSpecific(key: Self.current, value: identity)
      return identity
    }
  }

  /// Appends `action` to the queue.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.async(execute: action)
  }

  /// Runs `action` on the queue once `delay` has passed; cancelling lets go of it.
  public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    timers.add(after: delay, action)
  }

  /// Whether the caller runs on the queue, or on one that targets it.
  public var isCurrent: Bool {
    DispatchQueue.getSpecific(key: Self.current) === identity
  }
}

/// A gate made of a Dispatch semaphore.
struct SemaphoreGate: Gate {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() { semaphore.wait() }
  func open() { semaphore.signal() }
}
