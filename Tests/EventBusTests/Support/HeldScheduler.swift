import EventBus

/// A scheduler that runs nothing until it is told to: a queue whose thread the test holds in its hand.
final class HeldScheduler: Scheduler {
  let isSerial: Bool
  private let waiting = Locked<[@Sendable () -> Void]>([])
  private let running = Locked(false)

  init(isSerial: Bool = true) { self.isSerial = isSerial }

  var isCurrent: Bool { running.withLock { $0 } }
  var wakeUps: Int { waiting.withLock { $0.count } }

  func schedule(_ action: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(action) } }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    fatalError("No test here schedules on a held scheduler with a delay.")
  }

  /// Returns false when there was nothing to run.
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
