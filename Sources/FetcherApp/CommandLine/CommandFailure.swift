import ScenarioFormat

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

/// A command line that cannot be understood: exit code 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// An unknown word, with the nearest known one if there is one near.
  static func unknown(_ kind: String, _ word: String, among words: [String]) -> UsageError {
    let hint = Spelling.nearest(to: word, among: words).map { "; \(Spelling.question($0))" } ?? ""
    let list = hint.isEmpty && kind != "command" && kind != "flag" ? "; there are \(words.joined(separator: ", "))" : ""
    return UsageError("unknown \(kind) \"\(word)\"\(hint)\(list)")
  }
}
