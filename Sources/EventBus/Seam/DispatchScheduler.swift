public import Dispatch

/// A scheduler that is a Dispatch queue.
public final class DispatchScheduler: Scheduler {
  private static let current = DispatchSpecificKey<ObjectIdentifier>()

  /// The main queue. One scheduler for the whole process, as a queue remembers one scheduler only.
  static let forMain = DispatchScheduler(.main, isSerial: true)

  /// The queue on which actions run.
  public let queue: DispatchQueue
  public let isSerial: Bool

  /// Makes a scheduler of a queue.
  ///
  /// - Parameters:
  ///   - queue: where actions run. The queue remembers the scheduler for ``isCurrent``; give a queue to one scheduler.
  ///   - isSerial: whether the queue is serial. Dispatch cannot tell, so the caller says.
  public init(_ queue: DispatchQueue, isSerial: Bool) {
    self.queue = queue
    self.isSerial = isSerial
    queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
  }

  public func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.async(execute: action)
  }

  public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    DispatchTimer(on: queue, after: delay, action)
  }

  public var isCurrent: Bool {
    DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self)
  }
}
