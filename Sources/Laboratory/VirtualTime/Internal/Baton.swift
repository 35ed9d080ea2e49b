import Scheduling
import Synchronization

/// What one thread waits for until it may run. One thread at a time runs; it hands over by opening another's baton.
final class Baton: Sendable {
  private let gate = DispatchRuntime.shared.gate()
  /// Orders what one thread did before what the next one does where the semaphore cannot be seen: by the thread sanitizer.
  private let handovers = Atomic(0)
  private let isDismissed = Atomic(false)

  /// Waits until it may run. Returns false when the thread should end instead.
  func wait() -> Bool {
    gate.wait()
    _ = handovers.load(ordering: .acquiring)
    return !isDismissed.load(ordering: .acquiring)
  }

  /// Hands over.
  func open() {
    handovers.add(1, ordering: .releasing)
    gate.open()
  }

  /// Ends the thread.
  func dismiss() {
    isDismissed.store(true, ordering: .releasing)
    gate.open()
  }
}
