import ScenarioFormat

/// The failure of a command: an exit code and a one-line message for the user.
struct CommandFailure: Error, Equatable {
  let code: ExitCode
  /// The message, or nil if the command has already printed the reason.
  let message: String?

  /// Returns a failure that prevents the command from starting, such as a port in use or an unreadable file.
  static func cannotStart(_ message: String) -> CommandFailure {
    CommandFailure(code: .cannotStart, message: message)
  }

  /// Returns a failure that occurred while the command was running.
  static func failed(_ message: String) -> CommandFailure {
    CommandFailure(code: .failed, message: message)
  }
}

/// The error for a command line that cannot be parsed. The exit code is 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// Returns the error for an unknown word. The message suggests the most similar known word, if there is one.
  static func unknown(_ kind: String, _ word: String, among words: [String]) -> UsageError {
    let hint = Spelling.nearest(to: word, among: words).map { "; \(Spelling.question($0))" } ?? ""
    let list =
      hint.isEmpty && kind != "command" && kind != "flag" ? "; choose from \(words.joined(separator: ", "))" : ""
    return UsageError("unknown \(kind) \"\(word)\"\(hint)\(list)")
  }
}
