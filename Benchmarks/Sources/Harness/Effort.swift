/// The duration of the measurement of each contender.
public struct Effort: Sendable {
  /// The number of turns of each contender.
  public let rounds: Int
  /// The minimum duration of a turn.
  public let turn: Duration

  /// Creates an effort.
  public init(rounds: Int, turn: Duration) {
    self.rounds = rounds
    self.turn = turn
  }

  /// For published figures.
  public static let full = Effort(rounds: 25, turn: .milliseconds(20))

  /// For a quick result during development.
  public static let quick = Effort(rounds: 7, turn: .milliseconds(2))
}
