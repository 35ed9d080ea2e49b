import Dispatch
import EventBus
import ScenarioFormat

/// Shows on a terminal how far a search is, how fast, and how long it still takes. Any thread.
final class SearchProgress: Sendable {
  private static let interval = Duration.milliseconds(100)

  private struct State {
    var share = 0.0
    var shown = Duration.zero
  }

  private let name: String
  private let line: ProgressLine
  private let runtime: any Runtime
  private let start: Duration
  private let schedules: Int
  private let time: Duration?
  private let state = Locked(State())

  /// - Parameters:
  ///   - line: expects as much for each search.
  ///   - schedules: how many may run.
  ///   - time: how long the search may take.
  init(_ name: String, on line: ProgressLine, _ runtime: any Runtime, schedules: Int, time: Duration?) {
    self.name = visible(name)
    self.line = line
    self.runtime = runtime
    self.schedules = max(schedules, 1)
    self.time = time
    start = runtime.now
  }

  /// So many schedules have run.
  func ran(_ count: Int) {
    let elapsed = runtime.now - start
    let share = min(1, max(Double(count) / Double(schedules), time.map { elapsed / $0 } ?? 0))
    let (growth, isDue) = state.withLock { state in
      let isDue = elapsed - state.shown >= Self.interval
      if isDue { state.shown = elapsed }
      defer { state.share = share }
      return (share - state.share, isDue)
    }
    line.advance(by: growth)
    guard isDue else { return }
    line.show("\(name), \(Int(Double(count) / max(elapsed / .seconds(1), 0.001))) schedules/s")
  }

  /// A failure was found.
  func found() { line.show("\(name), making the failure smaller") }

  /// The search has ended, wherever it was.
  func end() { line.shorten(by: state.withLock { 1 - $0.share }) }
}

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

  /// Runs the search. `give()` waits only while a search runs.
  func during<Result, Thrown: Error>(_ search: () throws(Thrown) -> Result) throws(Thrown) -> Result {
    state.withLock { $0.isSearching = true }
    // A stopped search has not reported its results yet.
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

  /// The search has ended, and its results are reported.
  func obey() { answer.signal() }
}
