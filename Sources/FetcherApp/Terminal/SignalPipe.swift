import Foundation
import ScenarioFormat

/// Carries signals out of their handler, where next to nothing is allowed, to a descriptor that a queue can watch.
///
/// Not a signal source of Dispatch: `dispatchMain` unblocks all signals on the main thread, so that one which comes before
/// the source is at work either is lost (ignored) or ends the process (not ignored).
enum SignalPipe {
  /// Written once, by ``open()``, before the handlers exist and before there is another thread.
  private nonisolated(unsafe) static var ends: [Int32] = [-1, -1]

  static var readEnd: Int32 { ends[0] }

  /// Makes the pipe and installs the handlers. Call it once, before there is another thread.
  static func open() {
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    writeEnd = ends[1]
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd, &byte, 1)
        errno = before
      }
    }
  }

  /// The number of the next signal. Call it when ``readEnd`` is readable.
  static func next() -> Int32 {
    var byte: UInt8 = 0
    return read(readEnd, &byte, 1) == 1 ? Int32(byte) : SIGTERM
  }
}

/// A plain global, which a signal handler can read without running an initialiser.
private nonisolated(unsafe) var writeEnd: Int32 = -1
