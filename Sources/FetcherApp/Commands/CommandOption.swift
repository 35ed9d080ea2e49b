/// A flag of a command, with or without a value.
struct CommandOption: Sendable, Equatable {
  /// With its dashes: `--output`.
  let name: String
  /// What stands for the value in the help, or nil for a switch.
  let value: String?
  /// One line of help.
  let help: String
  /// Another spelling, which the help does not show.
  let alias: String?
  /// What the value can be, where that is known: shells offer it.
  let words: [String]

  init(_ name: String, _ value: String? = nil, _ help: String, alias: String? = nil, words: [String] = []) {
    self.words = words
    self.name = name
    self.value = value
    self.help = help
    self.alias = alias
  }

  /// What every command understands.
  static let common = [
    CommandOption("--no-color", "plain text, also on a terminal (as does NO_COLOR)"),
    CommandOption("--help", "this text"),
  ]

  private init(_ name: String, _ help: String) {
    self.init(name, nil, help)
  }
}
