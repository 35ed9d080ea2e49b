import PlainText

/// The failure of a command: an exit code and a one-line message for the user.
package struct CommandFailure: Error, Equatable {
  package let code: ExitCode
  /// The message, or nil if the command has already printed the reason.
  package let message: String?

  package init(code: ExitCode, message: String?) { (self.code, self.message) = (code, message) }

  /// Returns a failure that prevents the command from starting, such as a port in use or an unreadable file.
  package static func cannotStart(_ message: String) -> CommandFailure {
    CommandFailure(code: .cannotStart, message: message)
  }

  /// Returns a failure that occurred while the command was running.
  package static func failed(_ message: String) -> CommandFailure {
    CommandFailure(code: .failed, message: message)
  }
}

/// The error for a command line that cannot be parsed. The exit code is 2.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// Returns the error for an unknown word. The message suggests the most similar known word, if there is one.
  package static func unknown(_ kind: String, _ word: String, among words: [String]) -> UsageError {
    let hint = Spelling.nearest(to: word, among: words).map { "; \(Spelling.question($0))" } ?? ""
    let list =
      hint.isEmpty && kind != "command" && kind != "flag" ? "; choose from \(words.joined(separator: ", "))" : ""
    return UsageError("unknown \(kind) \"\(word)\"\(hint)\(list)")
  }
}
