import Foundation
import ModelFixtures

/// A timer that ends the process if a test hangs in a way that no time limit can end, such as a deadlocked network.
///
/// It waits on a dedicated thread, because the pool itself may hang.
struct Watchdog: Sendable {
  private let isOver = DispatchSemaphore(value: 0)

  /// Starts the watchdog.
  init(seconds: Int, _ what: String) {
    let isOver = isOver
    Thread.detachNewThread {
      guard isOver.wait(timeout: .now() + .seconds(seconds)) == .timedOut else { return }
      fatalError("hangs: \(what) did not end within \(seconds) s")
    }
  }

  /// Stops the watchdog, because the test has ended.
  func stop() { isOver.signal() }
}
