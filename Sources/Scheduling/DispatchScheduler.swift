public import Dispatch

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
