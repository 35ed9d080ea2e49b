import EventBus
import Foundation
import ScenarioEngine
import ScenarioFormat

/// One line on a terminal that says how far the work is and how long it still takes. Nothing elsewhere. Any thread.
final class ProgressLine: Sendable {
  /// Whether there is a terminal to show it on.
  static var isShown: Bool { isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

  private struct State {
    var done = 0.0
    var isEnded = false
  }

  private let expected: Double
  private let runtime: any Runtime
  private let start: Duration
  private let state = Locked(State())

  /// - Parameter expected: how much there is to do, in expected seconds.
  init(_ runtime: any Runtime, expected: Double) {
    self.expected = expected
    self.runtime = runtime
    start = runtime.now
  }

  /// So much has been done.
  func advance(by amount: Double) { state.withLock { $0.done += amount } }

  /// Shows how far it is, and what is done next.
  func show(_ text: String) {
    guard Self.isShown else { return }
    let elapsed = (runtime.now - start).inSeconds
    // Written under the lock, so that nothing is shown after the end.
    state.withLock { state in
      guard !state.isEnded else { return }
      let share = min(1, state.done / max(expected, 0.001))
      let left = share > 0.02 ? elapsed / share - elapsed : expected - state.done
      Self.write("\r\u{1B}[K" + Self.line(share: share, secondsLeft: left, text))
    }
  }

  /// Removes the line, so that something else can be printed; the next ``show(_:)`` brings it back.
  func clear() {
    guard Self.isShown else { return }
    state.withLock { if !$0.isEnded { Self.write("\r\u{1B}[K") } }
  }

  /// Removes the line for good.
  func end() {
    guard Self.isShown else { return }
    state.withLock { state in
      state.isEnded = true
      Self.write("\r\u{1B}[K")
    }
  }

  /// `[######----]  58 %  0:42 left  list, block 4 of 10, async`
  static func line(share: Double, secondsLeft: Double, _ text: String) -> String {
    let width = 20
    let filled = Int((share * Double(width)).rounded())
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    let percent = "\(Int((share * 100).rounded()))"
    let seconds = Int(max(0, secondsLeft).rounded())
    let time = "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    return "[\(bar)] \(String(repeating: " ", count: 3 - percent.count))\(percent) %  \(time) left  \(text)"
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
