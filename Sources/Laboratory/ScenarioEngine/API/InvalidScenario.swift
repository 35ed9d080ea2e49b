/// Why a scenario cannot be run: what is wrong, where, and what to do about it.
public struct InvalidScenario: Error, CustomStringConvertible, Equatable {
  /// For people: of a mistake in the text the line with marks below it.
  public let description: String
}
