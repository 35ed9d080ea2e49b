/// How long each contender is measured.
public struct Effort: Sendable {
  /// How often each contender has its turn.
  public let rounds: Int
  /// How long one turn lasts at least.
  public let turn: Duration

  /// Makes an effort.
  public init(rounds: Int, turn: Duration) {
    self.rounds = rounds
    self.turn = turn
  }

  /// For figures that are quoted.
  public static let full = Effort(rounds: 25, turn: .milliseconds(20))

  /// For a look while developing.
  public static let quick = Effort(rounds: 7, turn: .milliseconds(2))
}
