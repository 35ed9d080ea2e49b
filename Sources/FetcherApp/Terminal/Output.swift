import EventBus
import Foundation

/// One of the two streams of the process, written line by line and without a buffer of its own. Any thread.
final class Output: Sendable {
  /// How text looks on this stream.
  let style: Style
  private let descriptor: Int32
  private let onClosed: @Sendable () -> Void
  private let isClosed = Locked(false)

  /// - Parameters:
  ///   - descriptor: an open descriptor, which stays the caller's.
  ///   - onClosed: called once, when the reader at the other end has gone. The program ignores `SIGPIPE`, so that it
  ///     can tidy up before it ends.
  init(descriptor: Int32, style: Style, onClosed: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.style = style
    self.onClosed = onClosed
  }

  /// Writes the text and a line break.
  func line(_ text: String = "") {
    guard !write(Array((text + "\n").utf8)) else { return }
    onClosed()
  }

  /// Whether the bytes were written, or there was nobody new to tell that they were not.
  private func write(_ bytes: [UInt8]) -> Bool {
    isClosed.withLock { isClosed in
      guard !isClosed else { return true }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          isClosed = true
          return false
        }
      }
      return true
    }
  }
}
