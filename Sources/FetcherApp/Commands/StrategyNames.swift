import FetcherModel

/// The strategies that the command line offers, in the order in which they are shown.
enum StrategyNames {
  static let all = StrategyRegistry.standard().names
  static let standard = "dataTask"

  /// The strategy that was asked for.
  static func one(_ arguments: ParsedArguments) throws(UsageError) -> String {
    let name = arguments["--strategy"] ?? standard
    guard all.contains(name) else { throw .unknown("strategy", name, among: all) }
    return name
  }
}
