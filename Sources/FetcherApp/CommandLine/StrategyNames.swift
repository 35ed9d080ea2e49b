import FetcherModel
import ScenarioEngine
import ScenarioFormat

/// The strategies that the command line offers, in display order.
enum StrategyNames {
  static let all = StrategyRegistry.standard().names.map(\.description)
  static let standard = Scenario.standardStrategy

  /// The `--strategy` flag of commands that run scenarios.
  static let option = CommandOption(
    "--strategy", "A,B", "these strategies, or `all`; by default those in the file", alias: "--strategies",
    words: all + ["all"])

  /// Returns the requested strategies, or nil to use the strategies that the file names. `all` selects every strategy.
  static func several(_ arguments: ParsedArguments) throws(UsageError) -> [String]? {
    let list = try arguments.list(option, of: all + ["all"], or: [])
    return list.isEmpty ? nil : list.contains("all") ? all : list
  }

  static func one(_ arguments: ParsedArguments) throws(UsageError) -> String {
    let name = arguments[option] ?? standard
    guard all.contains(name) else { throw .unknown("strategy", name, among: all) }
    return name
  }
}
