/// The result of a search.
public struct Exploration: Sendable, CustomStringConvertible {
  /// The first schedule that failed, as small as it could be made; nil if none did.
  public internal(set) var failure: ExplorationFailure?
  /// The steps of a replay, whether it failed or passed. Empty for a search.
  public internal(set) var laneTable = ""
  /// What the search did.
  public internal(set) var statistics: Statistics

  /// The failure, or the figures.
  public var description: String { failure.map { "\($0)" } ?? "no schedule fails\n\(statistics)" }
}
