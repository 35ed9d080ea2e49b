import Foundation
import ModelFixtures

/// Ends the process when a test hangs in a way that no time limit can end, as a deadlocked network does.
///
/// It waits on a thread of its own, because the pool may be what hangs.
struct Watchdog: Sendable {
  private let isOver = DispatchSemaphore(value: 0)

  /// Waits from now on.
  init(seconds: Int, _ what: String) {
    let isOver = isOver
    Thread.detachNewThread {
      guard isOver.wait(timeout: .now() + .seconds(seconds)) == .timedOut else { return }
      fatalError("hangs: \(what) did not end within \(seconds) s")
    }
  }

  /// The test came to its end.
  func stop() { isOver.signal() }
}
