/// The words of a scenario that come from the program, not from the format.
struct Vocabulary: Sendable {
  /// The strategies that can be named.
  var strategies: [String]
  /// The variants of the model that can be named.
  var variants: [String]

  /// What this program knows.
  static let shipped = Vocabulary(strategies: StrategyNames.all, variants: [Scenario.fixedVariant])
}
