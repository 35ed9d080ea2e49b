import EventBus
import ScheduleExplorer
import Synchronization
import VirtualTime

/// A screen that records every string that a program shows on it.
public final class Screen: Sendable {
  /// A string that was shown.
  struct Showing: Sendable, Equatable {
    let text: String
    /// The virtual time at which it was shown.
    let time: Duration
  }

  private struct State {
    var showings: [Showing] = []
    var complaint: String?
  }

  private let runtime: VirtualRuntime
  private let rule: @Sendable (_ text: String) -> String?
  private let state = Mutex(State())

  /// - Parameter rule: A closure that returns an error if the text must not be shown now, and nil otherwise.
  init(_ runtime: VirtualRuntime, rule: @escaping @Sendable (_ text: String) -> String? = { _ in nil }) {
    self.runtime = runtime
    self.rule = rule
  }

  /// Replaces the text on the screen. Call this on main only.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file, shown on the run's page.
  ///   - line: The caller's line in that file.
  public func show(_ text: String, fileID: StaticString = #fileID, line: UInt = #line) {
    let isOnMain = runtime.main.isCurrent
    let complaint = isOnMain ? rule(text) : "the screen is changed off main"
    // The table's column already names the scheduler and has no room for a sentence.
    let remark = isOnMain ? complaint : "not on main"
    runtime.note(remark.map { "show \(text): \($0)" } ?? "show \(text)")
    runtime.mark(RunMark(.shows(text, view: "screen"), fileID: "\(fileID)", line: Int(line)))
    let now = runtime.now
    state.withLock { state in
      state.showings.append(Showing(text: text, time: now))
      if state.complaint == nil { state.complaint = complaint }
    }
  }

  /// Everything that was shown, in order.
  var showings: [Showing] { state.withLock { $0.showings } }

  /// All strings that were shown, in order.
  var texts: [String] { showings.map(\.text) }

  /// The text that is currently shown.
  var text: String { showings.last?.text ?? "nothing" }

  /// Throws unless exactly these strings were shown, each at its time in milliseconds. Strings that are due at the same
  /// time may be shown in any order.
  func verify(shows expected: [(text: String, time: Int)]) throws(Finding) {
    try verify()
    let line = { (shown: [(text: String, time: Duration)]) in
      shown.sorted { ($0.time, $0.text) < ($1.time, $1.text) }
        .map { "“\($0.text)” at \($0.time)" }.joined(separator: ", ")
    }
    let due = line(expected.map { ($0.text, .milliseconds($0.time)) })
    let shown = line(showings.map { ($0.text, $0.time) })
    try require(
      due == shown,
      "the screen must show \(due.isEmpty ? "nothing" : due), but shows \(shown.isEmpty ? "nothing" : shown)")
  }

  /// Throws the error for the first string that broke the rule.
  func verify() throws(Finding) {
    if let complaint = state.withLock({ $0.complaint }) { throw Finding(.check, complaint) }
  }
}

/// Throws a finding unless the condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(Finding) {
  guard condition else { throw Finding(.check, message()) }
}

extension VirtualRuntime {
  /// Schedules a user's step.
  func user(at milliseconds: Int, _ name: String, _ action: @escaping @Sendable () -> Void) {
    _ = user.schedule(after: .milliseconds(milliseconds)) { [weak self] in
      self?.note(name)
      action()
    }
  }

  /// Schedules a step of a user who uses a program in plain Swift.
  func person(at milliseconds: Int, _ name: String, _ action: @escaping @MainActor @Sendable () -> Void) {
    user(at: milliseconds, name) { MainActor.assumeIsolated(action) }
  }
}
