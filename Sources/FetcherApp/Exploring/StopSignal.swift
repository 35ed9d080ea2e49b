import Dispatch
import EventBus

/// Ctrl-C during a search: the search ends after the schedule that runs, so that what it has found is reported. Any thread.
final class StopSignal: Sendable {
  /// A schedule that does not end must not keep the process.
  private static let patience = DispatchTimeInterval.seconds(5)

  private let given = Locked(false)
  private let answer = DispatchSemaphore(value: 0)

  /// Whether the search is to end.
  var isGiven: Bool { given.withLock { $0 } }

  /// Ends the search, and waits until it has ended.
  func give() {
    given.withLock { $0 = true }
    _ = answer.wait(timeout: .now() + Self.patience)
  }

  /// The search has ended, and its results are where they belong.
  func obey() { answer.signal() }
}
