/// The end of a command before its time: the code to leave with, and one line for the user.
struct CommandFailure: Error, Equatable {
  let code: ExitCode
  /// Nil where the user knows already.
  let message: String?

  /// A failure to begin: a port in use, a file that cannot be read.
  static func cannotStart(_ message: String) -> CommandFailure {
    CommandFailure(code: .cannotStart, message: message)
  }

  /// A failure while running.
  static func failed(_ message: String) -> CommandFailure {
    CommandFailure(code: .failed, message: message)
  }
}
