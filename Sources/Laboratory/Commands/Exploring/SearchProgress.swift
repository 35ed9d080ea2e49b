import CommandLineTool
import Dispatch
import EventBus
import PlainText
import ScenarioFormat

/// Shows the progress, speed and remaining time of a search on a terminal. It is safe to use on any thread.
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
  ///  - line: the progress line. It counts each search as the same amount of work.
  ///  - schedules: the maximum number of schedules.
  ///  - time: the time limit of the search.
  init(_ name: String, on line: ProgressLine, _ runtime: any Runtime, schedules: Int, time: Duration?) {
    self.name = visible(name)
    self.line = line
    self.runtime = runtime
    self.schedules = max(schedules, 1)
    self.time = time
    start = runtime.now
  }

  /// Reports the number of schedules that have run so far.
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

  /// Reports that the search found a failure.
  func found() { line.show("\(name), reducing the failure") }

  /// Reports that the search has ended, possibly early.
  func end() { line.shorten(by: state.withLock { 1 - $0.share }) }
}

/// Handles Ctrl-C during a search. The search ends after the current schedule and reports its findings. This type is
/// safe to use on any thread.
final class StopSignal: Sendable {
  private struct State {
    var isGiven = false
    var isSearching = false
  }

  /// The maximum time to wait. Without this limit, a schedule that hangs would prevent the process from exiting.
  private static let timeout = DispatchTimeInterval.seconds(5)

  private let state = Locked(State())
  private let answer = DispatchSemaphore(value: 0)

  /// Whether the search should end.
  var isGiven: Bool { state.withLock { $0.isGiven } }

  /// Runs a search. ``give()`` waits only if a search is running.
  func during<Result, Thrown: Error>(_ search: () throws(Thrown) -> Result) throws(Thrown) -> Result {
    state.withLock { $0.isSearching = true }
    // After a stop, `isSearching` stays true, because the search has not reported its results yet.
    defer { state.withLock { $0.isSearching = $0.isGiven } }
    return try search()
  }

  /// Stops the current search, if any, and waits until its results are written. Between searches, this method returns
  /// immediately. The searching thread may then be the caller, because it terminates the process if it cannot write
  /// results.
  func give() {
    let isSearching = state.withLock { state in
      state.isGiven = true
      return state.isSearching
    }
    if isSearching { _ = answer.wait(timeout: .now() + Self.timeout) }
  }

  /// Reports that the search has ended and that its results have been written.
  func obey() { answer.signal() }
}
