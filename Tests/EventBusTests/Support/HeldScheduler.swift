import EventBus

/// A scheduler that runs its actions only when the test calls `runNext()` or `runAll()`.
final class HeldScheduler: Scheduler {
  let isSerial: Bool
  private let waiting = Locked<[@Sendable () -> Void]>([])
  private let running = Locked(false)

  init(isSerial: Bool = true) { self.isSerial = isSerial }

  var isCurrent: Bool { running.withLock { $0 } }
  var wakeUps: Int { waiting.withLock { $0.count } }

  func schedule(_ action: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(action) } }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    fatalError("A held scheduler does not support delays.")
  }

  /// Returns false if no action was waiting.
  @discardableResult
  func runNext() -> Bool {
    guard let action = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    running.withLock { $0 = true }
    action()
    running.withLock { $0 = false }
    return true
  }

  func runAll() { while runNext() {} }
}
