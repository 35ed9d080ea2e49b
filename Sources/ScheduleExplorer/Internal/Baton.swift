import EventBus
import Synchronization

/// What one thread waits for until it is its turn. One thread at a time runs; it hands over by opening another's baton.
final class Baton: Sendable {
  private let gate = DispatchRuntime.shared.gate()
  private let isDismissed = Atomic(false)

  /// Waits for the turn. Returns false when the thread should end instead.
  func wait() -> Bool {
    gate.wait()
    return !isDismissed.load(ordering: .acquiring)
  }

  /// Hands over.
  func open() { gate.open() }

  /// Ends the thread.
  func dismiss() {
    isDismissed.store(true, ordering: .releasing)
    gate.open()
  }
}
