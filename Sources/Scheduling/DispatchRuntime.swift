public import Dispatch

/// The production runtime, with Dispatch queues, the real clock, and the global concurrent executor.
public struct DispatchRuntime: Runtime {
  /// The runtime of the process. Its main scheduler is the main queue.
  public static let shared = DispatchRuntime()

  /// The main queue.
  public let main: any Scheduler
  /// The global queue with the user-initiated quality of service.
  public let workers: any Scheduler
  private let start: ContinuousClock.Instant

  private init() {
    start = .now
    main = DispatchScheduler.forMain
    // Actions run on the global queue. The labeled queue, which targets it, has the marker for `isCurrent`. On Linux,
    // blocking calls starve at the default quality of service, because the pool for that quality grows by only one
    // thread per second. At the quality of service used here, 12 fetches of 50 ms took 0.31 s; at the default quality
    // of service, they took 10 s. A client that blocks must still limit the number of threads that it blocks.
    workers = DispatchScheduler(
      DispatchQueue(label: "workers", attributes: .concurrent, target: .global(qos: .userInitiated)), isSerial: false)
  }

  /// Creates a serial queue with this label.
  public func serial(_ label: String) -> any Scheduler {
    DispatchScheduler(DispatchQueue(label: label), isSerial: true)
  }

  /// The time since ``shared`` was first used.
  public var now: Duration { start.duration(to: .now) }

  /// Creates a closed gate from a semaphore.
  public func gate() -> any Gate { SemaphoreGate() }

  /// Starts a detached task on the global concurrent executor.
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(operation: body)
  }
}

/// A scheduler that uses a Dispatch queue.
public final class DispatchScheduler: Scheduler {
  /// The identity of a queue. On Linux, a single queue, such as the main queue, can have several `DispatchQueue`
  /// objects.
  package final class Identity: Sendable {
    /// Set on the queue. Queues that target it inherit the value, whatever their own identities are.
    let marker = DispatchSpecificKey<Void>()
  }

  private static let known = DispatchSpecificKey<Identity>()
  private static let finding = Locked(())

  /// The main queue.
  package static let forMain = DispatchScheduler(.main, isSerial: true)

  /// The queue on which actions run.
  public let queue: DispatchQueue
  /// The value that was passed to the initializer.
  public let isSerial: Bool
  package let identity: Identity
  private let timers: DispatchTimers

  /// Creates a scheduler from a queue.
  ///
  /// - Parameters:
  ///   - queue: the queue on which actions run.
  ///   - isSerial: whether the queue is serial. Dispatch does not expose this property.
  public init(_ queue: DispatchQueue, isSerial: Bool) {
    self.queue = queue
    self.isSerial = isSerial
    timers = DispatchTimers(on: queue, isSerial: isSerial)
    identity = Self.finding.withLock { _ in
      if let identity = queue.getSpecific(key: Self.known) { return identity }
      let identity = Identity()
      queue.setSpecific(key: Self.known, value: identity)
      queue.setSpecific(key: identity.marker, value: ())
      return identity
    }
  }

  /// Appends `action` to the queue.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.async(execute: action)
  }

  /// Runs `action` on the queue after `delay`. Cancelling releases the action without running it.
  public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    timers.add(after: delay, action)
  }

  /// Whether the caller is running on the queue, or on a queue that targets it.
  public var isCurrent: Bool {
    DispatchQueue.getSpecific(key: identity.marker) != nil
  }
}

/// A gate made from a Dispatch semaphore.
struct SemaphoreGate: Gate {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() { semaphore.wait() }
  func open() { semaphore.signal() }
}
