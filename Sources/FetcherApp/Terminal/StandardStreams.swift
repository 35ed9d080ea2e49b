import Foundation

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
