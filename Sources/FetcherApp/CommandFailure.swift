/// The end of a command before its time: one line for the user, and the code to leave with.
struct CommandFailure: Error, Equatable {
  let code: ExitCode
  let message: String

  /// A failure to begin: a port in use, a file that cannot be read.
  static func cannotStart(_ message: String) -> CommandFailure {
    CommandFailure(code: .cannotStart, message: message)
  }

  /// A failure while running.
  static func failed(_ message: String) -> CommandFailure {
    CommandFailure(code: .failed, message: message)
  }
}
