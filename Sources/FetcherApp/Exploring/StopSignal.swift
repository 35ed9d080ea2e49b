import Dispatch
import EventBus

/// Ctrl-C during a search: the search ends after the schedule that runs, so that what it has found is reported. Any thread.
final class StopSignal: Sendable {
  private struct State {
    var isGiven = false
    var isSearching = false
  }

  /// A schedule that does not end must not keep the process.
  private static let patience = DispatchTimeInterval.seconds(5)

  private let state = Locked(State())
  private let answer = DispatchSemaphore(value: 0)

  /// Whether the search is to end.
  var isGiven: Bool { state.withLock { $0.isGiven } }

  /// Searches: only meanwhile there is something to wait for.
  func during<Result, Failure: Error>(_ search: () throws(Failure) -> Result) throws(Failure) -> Result {
    state.withLock { $0.isSearching = true }
    // Of a search that was stopped the results are still to come.
    defer { state.withLock { $0.isSearching = $0.isGiven } }
    return try search()
  }

  /// Ends the search if there is one, and waits until it has ended. Results that cannot be written end the process on the thread
  /// that searches, between searches.
  func give() {
    let isSearching = state.withLock { state in
      state.isGiven = true
      return state.isSearching
    }
    if isSearching { _ = answer.wait(timeout: .now() + Self.patience) }
  }

  /// The search has ended, and its results are where they belong.
  func obey() { answer.signal() }
}
