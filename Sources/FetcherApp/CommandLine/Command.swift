/// One word of the command line: what it understands, and what it does.
struct Command: Sendable {
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// What the plain arguments stand for, such as `URL...`, or nil where there are none.
  var arguments: String?
  /// The command does not run without a plain argument.
  var needsArguments = false
  var options: [CommandOption] = []
  /// The words that its first argument can be, each with a line of help.
  var actions: [(name: String, help: String)] = []
  /// What flags cannot say, in lines.
  var details: [String] = []
  let example: String
  /// A helper of `fetcher` itself, not shown in the list.
  var isHidden = false
  /// All that the command does is show something: it may end at once, with success, when nobody reads its results.
  var endsWithItsReader = false
  let run: @Sendable (ParsedArguments, CommandContext) async throws -> ExitCode

  /// All flags, the common ones last.
  var allOptions: [CommandOption] { options + CommandOption.common }
}

/// What a command works with.
struct CommandContext: Sendable {
  /// Results.
  let output: Output
  /// Notes, progress and errors.
  let notes: Output
  let shutdown: Shutdown
  let resources: ResourceLocator
}

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
