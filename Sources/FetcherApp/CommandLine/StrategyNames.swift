import FetcherModel
import ScenarioEngine
import ScenarioFormat

/// The strategies that the command line offers, in the order in which they are shown.
enum StrategyNames {
  static let all = StrategyRegistry.standard().names.map(\.description)
  static let standard = Scenario.standardStrategy

  /// The flag of commands that play scenarios.
  static let option = CommandOption(
    "--strategy", "A,B", "these strategies, or `all`; by default those of the file", alias: "--strategies",
    words: all + ["all"])

  /// The strategies that were asked for, of which `all` stands for each; nil for those of the file.
  static func several(_ arguments: ParsedArguments) throws(UsageError) -> [String]? {
    let list = try arguments.list(option, of: all + ["all"], or: [])
    return list.isEmpty ? nil : list.contains("all") ? all : list
  }

  /// The strategy that was asked for.
  static func one(_ arguments: ParsedArguments) throws(UsageError) -> String {
    let name = arguments[option] ?? standard
    guard all.contains(name) else { throw .unknown("strategy", name, among: all) }
    return name
  }
}
