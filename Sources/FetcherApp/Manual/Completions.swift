/// What a shell can offer instead of a value.
enum CompletionValue: Equatable {
  case words([String])
  case file, folder
  /// A number, an address: nothing that anybody could know.
  case unknown

  /// - Parameter placeholder: as the help shows it, such as `FILE` or `URL...`.
  init(_ placeholder: String, words: [String] = []) {
    if !words.isEmpty {
      self = .words(words)
    } else if placeholder.contains("FILE") {
      self = .file
    } else if placeholder.contains("DIR") {
      self = .folder
    } else {
      self = .unknown
    }
  }
}

extension CommandOption {
  /// Nil for a switch.
  var completion: CompletionValue? { value.map { CompletionValue($0, words: words) } }
}

extension Command {
  /// What its plain arguments can be; nil where it takes none.
  var completion: CompletionValue? { arguments.map { CompletionValue($0, words: actions.map(\.name)) } }
}

/// The text in single quotes, as all three shells read them.
func shellQuoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }
