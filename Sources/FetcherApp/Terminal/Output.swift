import Bytes
import EventBus
import Foundation
import ScenarioFormat

/// One of the two streams of the process, written line by line and without a buffer of its own. Any thread.
final class Output: Sendable {
  /// How text looks on this stream.
  let style: Style
  private let descriptor: Int32
  private let onFailure: @Sendable (_ reason: String) -> Void
  private let state = Locked(State())

  private struct State {
    var isClosed = false
    var onReaderGone: (@Sendable () -> Void)?
  }

  /// - Parameters:
  ///   - descriptor: an open descriptor, which stays the caller's.
  ///   - onFailure: called once, with the system's reason, when the text cannot be written although somebody may want
  ///     to read it. A reader that has gone is no failure: what is written then is dropped.
  init(descriptor: Int32, style: Style, onFailure: @escaping @Sendable (_ reason: String) -> Void) {
    self.descriptor = descriptor
    self.style = style
    self.onFailure = onFailure
  }

  /// Calls `action` once, when the reader at the other end of a pipe has gone.
  func whenReaderIsGone(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.onReaderGone = action }
  }

  /// Writes an error. Credentials of addresses in it are left out.
  func complain(_ message: String) { line(style(.red, "error:") + " " + message.withoutCredentials) }

  /// Writes the text and a line break.
  func line(_ text: String = "") {
    let consequence = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isClosed, let error = write(Array((text + "\n").utf8)) else { return nil }
      state.isClosed = true
      guard error != EPIPE else { return state.onReaderGone }
      let reason = String(cString: strerror(error))
      return { [onFailure] in onFailure(reason) }
    }
    // Outside the lock: it may end the process, and other threads go on writing until then.
    consequence?()
  }

  /// The error that kept the bytes from being written, or nil.
  private func write(_ bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Whoever gave us the descriptor made it non-blocking; lines must not be lost for that.
        var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&writable, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}

/// The three streams that a process is born with, or should be.
enum StandardStreams {
  /// Opens those that the caller had closed, so that no socket gets their numbers and our text.
  ///
  /// They are opened for reading only: to write to them still fails, and is detected.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
