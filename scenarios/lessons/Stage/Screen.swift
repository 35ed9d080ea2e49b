import EventBus
import ScheduleExplorer
import Synchronization
import VirtualTime

/// Where a program shows what it has, and where the stage looks.
public final class Screen: Sendable {
  /// Something that was shown.
  public struct Showing: Sendable, Equatable {
    /// What.
    public let text: String
    /// The virtual time.
    public let time: Duration
  }

  private struct State {
    var showings: [Showing] = []
    var complaint: String?
  }

  private let runtime: VirtualRuntime
  private let rule: @Sendable (_ text: String) -> String?
  private let state = Mutex(State())

  /// - Parameter rule: says what is wrong with showing this now; nil if nothing is.
  init(_ runtime: VirtualRuntime, rule: @escaping @Sendable (_ text: String) -> String? = { _ in nil }) {
    self.runtime = runtime
    self.rule = rule
  }

  /// Shows this instead of what was shown. On main only.
  public func show(_ text: String) {
    let isOnMain = runtime.main.isCurrent
    let complaint = isOnMain ? rule(text) : "the screen is touched away from main"
    // The scheduler is in the column of the table, which has no room for a sentence.
    let remark = isOnMain ? complaint : "not on main"
    runtime.note(remark.map { "show \(text): \($0)" } ?? "show \(text)")
    let now = runtime.now
    state.withLock { state in
      state.showings.append(Showing(text: text, time: now))
      if state.complaint == nil { state.complaint = complaint }
    }
  }

  /// Everything that was shown.
  var showings: [Showing] { state.withLock { $0.showings } }

  /// The texts of everything that was shown.
  var texts: [String] { showings.map(\.text) }

  /// What is shown now.
  var text: String { showings.last?.text ?? "nothing" }

  /// Throws what was wrong with the first showing that broke the rule.
  func verify() throws(Finding) {
    if let complaint = state.withLock({ $0.complaint }) { throw Finding(.check, complaint) }
  }
}

/// Throws a finding unless the condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(Finding) {
  guard condition else { throw Finding(.check, message()) }
}

extension VirtualRuntime {
  /// A step of the user.
  func user(at milliseconds: Int, _ name: String, _ action: @escaping @Sendable () -> Void) {
    _ = user.schedule(after: .milliseconds(milliseconds)) { [weak self] in
      self?.note(name)
      action()
    }
  }
}
