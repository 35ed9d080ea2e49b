import CommandLineTool
import EventBus
import FetcherModel
import Foundation
import PlainText

/// Shows the progress of a fetch on a terminal: one line per active picture, and one line for the total. It is safe to
/// use on any thread.
final class FetchProgress: Sendable {
  /// A picture that is being fetched.
  struct Download: Sendable, Equatable {
    let id: ImageID
    let name: String
    var received = 0
    var expected: Int?
  }

  /// The overall progress.
  struct Standing: Sendable, Equatable {
    var downloads: [Download] = []
    var done = 0
    let count: Int
    /// The total number of bytes in completed pictures.
    var bytes = 0

    /// Returns the estimated number of seconds left, or nil if no estimate is possible yet.
    func secondsLeft(after elapsed: Double) -> Double? {
      let parts = downloads.reduce(0) { sum, download in
        sum + (download.expected.map { Double(download.received) / Double(max($0, 1)) } ?? 0)
      }
      let share = min(1, (Double(done) + parts) / Double(max(count, 1)))
      return share > 0.02 ? elapsed / share - elapsed : nil
    }
  }

  private struct State {
    var standing: Standing
    /// The number of progress lines on the screen.
    var shown = 0
    /// The number of threads that are currently printing other output.
    var interruptions = 0
    var isEnded = false
  }

  private static let maximumDownloads = 6
  private let runtime: any Runtime
  private let timer: any Scheduler
  private let start: Duration
  private let isShown: Bool
  private let state: Locked<State>

  init(_ runtime: any Runtime, count: Int, isShown: Bool) {
    self.runtime = runtime
    self.isShown = isShown
    timer = runtime.serial("progress")
    start = runtime.now
    state = Locked(State(standing: Standing(count: count)))
    if isShown { tick() }
  }

  /// Reports the start of a fetch.
  func begin(_ image: IFImage) {
    state.withLock { $0.standing.downloads.append(Download(id: image.id, name: image.name)) }
  }

  /// Reports received bytes.
  func advance(_ id: ImageID, _ received: Int, _ expected: Int?) {
    state.withLock { state in
      guard let index = state.standing.downloads.firstIndex(where: { $0.id == id }) else { return }
      state.standing.downloads[index].received = received
      state.standing.downloads[index].expected = expected
    }
  }

  /// Reports the end of a fetch.
  func finish(_ image: IFImage?, bytes: Int) {
    state.withLock { state in
      state.standing.downloads.removeAll { $0.id == image?.id }
      state.standing.done += 1
      state.standing.bytes += bytes
    }
  }

  /// Removes the progress lines and prints other output. The lines reappear below that output.
  func interrupt(_ print: () -> Void) {
    state.withLock { state in
      erase(&state)
      state.interruptions += 1
    }
    // Print outside the lock. A failed print may terminate the process, and termination calls ``end()``.
    print()
    state.withLock { $0.interruptions -= 1 }
  }

  /// Removes the progress lines permanently.
  ///
  /// - Returns: the final progress.
  @discardableResult func end() -> Standing {
    state.withLock { state in
      erase(&state)
      state.isEnded = true
      return state.standing
    }
  }

  private func tick() {
    let goesOn = state.withLock { state in
      guard !state.isEnded else { return false }
      guard state.interruptions == 0 else { return true }
      erase(&state)
      let lines = Self.lines(state.standing, after: (runtime.now - start).inSeconds, width: Terminal.width)
      state.shown = lines.count
      Self.write(lines.map { $0 + "\r\n" }.joined())
      return true
    }
    if goesOn { _ = timer.schedule(after: .milliseconds(100)) { [weak self] in self?.tick() } }
  }

  private func erase(_ state: inout State) {
    guard state.shown > 0 else { return }
    Self.write("\u{1B}[\(state.shown)A\u{1B}[J")
    state.shown = 0
  }

  /// Returns the lines for a terminal of the given width.
  static func lines(_ standing: Standing, after seconds: Double, width: Int) -> [String] {
    let shown = standing.downloads.prefix(maximumDownloads)
    var lines = shown.map { download in
      let amount = size(download.received) + (download.expected.map { " of \(size($0))" } ?? "")
      let percent = download.expected.map { "  \(min(100, download.received * 100 / max($0, 1))) %" } ?? ""
      return "  \(visible(download.name))  \(amount)\(percent)"
    }
    if standing.downloads.count > shown.count { lines.append("  and \(standing.downloads.count - shown.count) more") }
    let bytes = standing.bytes + standing.downloads.reduce(0) { $0 + $1.received }
    let rate = seconds > 0.2 ? "  \(size(Int(Double(bytes) / seconds)))/s" : ""
    let left = standing.secondsLeft(after: seconds).map { "  \(time($0)) left" } ?? ""
    lines.append("\(standing.done) of \(standing.count) fetched  \(size(bytes))\(rate)\(left)")
    return lines.map { String($0.prefix(max(width - 1, 10))) }
  }

  /// Returns a size as text, such as `512 B`, `1.5 kB` or `2.0 MB`.
  static func size(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) B" }
    let (value, unit) = bytes < 1_000_000 ? (Double(bytes) / 1e3, "kB") : (Double(bytes) / 1e6, "MB")
    return "\(value.fixed(1)) \(unit)"
  }

  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(max(0, seconds), 359_999).rounded())
    return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
