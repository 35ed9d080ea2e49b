import Foundation
import PlainText
import Scheduling

/// An output stream of the process, written line by line without buffering. It is safe to use on any thread.
package final class Output: Sendable {
  /// The text style of this stream.
  package let style: TextStyle
  private let descriptor: Int32
  private let onFailure: @Sendable (_ reason: String) -> Void
  private let state = Locked(State())

  private struct State {
    var isClosed = false
    var onReaderGone: (@Sendable () -> Void)?
  }

  /// - Parameters:
  ///  - descriptor: an open file descriptor, which the caller owns.
  ///  - onFailure: a closure that is called once, with the system's error message, if text cannot be written. A closed
  ///    pipe is not a failure. After a failure or a closed pipe, the stream drops further text.
  package init(descriptor: Int32, style: TextStyle, onFailure: @escaping @Sendable (_ reason: String) -> Void) {
    self.descriptor = descriptor
    self.style = style
    self.onFailure = onFailure
  }

  /// Sets the action to run once a write shows that the reader has closed the pipe.
  package func whenReaderIsGone(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.onReaderGone = action }
  }

  /// Writes an error message, without control characters and without the credentials in its URLs.
  package func complain(_ message: String) {
    let lines = message.withoutCredentials.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = lines.map { String(shapes(of: String($0))) }.joined(separator: "\n")
    line("\(style(.red, "error:")) \(shown)")
  }

  /// Writes the text, followed by a line break.
  package func line(_ text: String = "") {
    let consequence = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isClosed, let error = write(Array((text + "\n").utf8)) else { return nil }
      state.isClosed = true
      guard error != EPIPE else { return state.onReaderGone }
      let reason = String(cString: strerror(error))
      return { [onFailure] in onFailure(reason) }
    }
    // Call `consequence` outside the lock, because it may terminate the process while other threads still write.
    consequence?()
  }

  /// Writes the bytes. Returns the error code of a failed write, or nil.
  private func write(_ bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // The parent process made the descriptor non-blocking. Wait until it is writable, so that no line is lost.
        var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&writable, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}

/// The three standard streams, which a parent process may have closed.
package enum StandardStreams {
  /// Opens `/dev/null` for each closed standard stream. Otherwise a new socket could reuse the descriptor and receive
  /// the program's output.
  ///
  /// The streams are read-only, so that a write still fails and is detected.
  package static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
