import Foundation
import PlainText
package import Scheduling

/// A terminal line that shows the progress and the remaining time. It is safe to use on any thread.
package final class ProgressLine: Sendable {
  /// Whether standard error is a terminal that can show the progress line.
  package static var isShown: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  private struct State {
    var expected: Double
    var done = 0.0
    /// The text to show, or nil while the line is removed.
    var text: String?
    var isDelayed: Bool
    var isEnded = false
  }

  /// The terminal width, in columns, below which the line omits the bar.
  private static let narrow = 70

  private let isInSeconds: Bool
  private let runtime: any Runtime
  private let start: Duration
  private let state: Locked<State>

  /// - Parameters:
  ///  - expected: the expected amount of work.
  ///  - inSeconds: whether the amount is in seconds. An amount in seconds allows an estimate of the remaining time from
  ///    the start.
  ///  - delay: the time before the line first appears, so that it does not flicker in a short run.
  package init(_ runtime: any Runtime, expected: Double, inSeconds: Bool = true, delay: Duration = .zero) {
    state = Locked(State(expected: expected, isDelayed: delay > .zero))
    isInSeconds = inSeconds
    self.runtime = runtime
    start = runtime.now
    guard delay > .zero, Self.isShown else { return }
    _ = runtime.workers.schedule(after: delay) { [weak self] in
      self?.state.withLock { state in
        state.isDelayed = false
        self?.write(state)
      }
    }
  }

  /// Reports that this amount of work is complete.
  package func advance(by amount: Double) { state.withLock { $0.done += amount } }

  /// Reduces the expected work without changing the estimated speed.
  package func shorten(by amount: Double) { state.withLock { $0.expected -= amount } }

  /// Shows the progress and the current work.
  package func show(_ text: String) {
    guard Self.isShown else { return }
    // Print under the lock, so that nothing appears after ``end()``.
    state.withLock { state in
      guard !state.isEnded else { return }
      state.text = text
      write(state)
    }
  }

  private func write(_ state: State) {
    guard !state.isDelayed, let text = state.text else { return }
    let elapsed = (runtime.now - start).inSeconds
    let share = min(1, state.done / max(state.expected, 0.001))
    let guess = isInSeconds ? state.expected - state.done : nil
    let left = share > 0.02 ? elapsed / share - elapsed : guess
    Self.write("\r\u{1B}[K" + Self.line(share: share, secondsLeft: left, text, width: Terminal.width))
  }

  /// Removes the line temporarily. The next ``show(_:)`` restores the line.
  package func clear() {
    guard Self.isShown else { return }
    state.withLock { Self.erase(&$0) }
  }

  /// Removes the line permanently.
  package func end() {
    guard Self.isShown else { return }
    state.withLock { state in
      Self.erase(&state)
      state.isEnded = true
    }
  }

  private static func erase(_ state: inout State) {
    if !state.isDelayed, !state.isEnded { write("\r\u{1B}[K") }
    state.text = nil
  }

  /// Returns a line such as `[######----]  58 %  0:42 left  list, block 4 of 10, async`. On a narrow terminal, the
  /// line omits the bar.
  ///
  /// - Parameters:
  ///  - secondsLeft: the estimated number of seconds left, or nil while there is no estimate.
  ///  - width: the number of terminal columns. A longer line would wrap, and could not be erased.
  package static func line(share: Double, secondsLeft: Double?, _ text: String, width: Int = .max) -> String {
    let length = 20
    let filled = Int((share * Double(length)).rounded())
    let bar = "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled) + "] "
    let percent = String(Int((share * 100).rounded())).padded(to: 3, .right)
    let left = secondsLeft.map { seconds in
      let seconds = Int(min(max(0, seconds), 359_999).rounded())
      return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60) left  "
    }
    let line = "\(percent) %  \(left ?? "")\(text)"
    return String(((width < narrow ? "" : bar) + line).prefix(width - 1))
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
