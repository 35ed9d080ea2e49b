/// The `--strategy` flag of commands that run several strategies.
package struct StrategyOption: Sendable {
  /// The names of all strategies, in display order.
  package let all: [String]
  /// The strategy of commands that need only one.
  package let standard: String

  package init(_ all: [String], standard: String) { (self.all, self.standard) = (all, standard) }

  /// The flag. By default, a command uses the strategies in its file.
  package var option: CommandOption {
    CommandOption(
      "--strategy", "A,B", "these strategies, or `all`; by default those in the file", alias: "--strategies",
      words: all + ["all"])
  }

  /// Returns the requested strategies, or nil to use the strategies that the file names. `all` selects every strategy.
  package func several(_ arguments: ParsedArguments) throws(UsageError) -> [String]? {
    let list = try arguments.list(option, of: all + ["all"], or: [])
    return list.isEmpty ? nil : list.contains("all") ? all : list
  }

  package func one(_ arguments: ParsedArguments) throws(UsageError) -> String {
    let name = arguments[option] ?? standard
    guard all.contains(name) else { throw .unknown("strategy", name, among: all) }
    return name
  }
}
