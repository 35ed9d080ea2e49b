/// What was read of one contender, and what came of its goal.
public struct Reading: Encodable, Sendable {
  /// The contender's name.
  public let name: String
  /// What it is to the first of its row.
  public let role: Contender.Role
  /// In the unit of the row; nil where the platform does not tell.
  public let spread: Spread?
  /// For a peer, how many times faster the first of the row is; for a floor, how many times its time the first takes.
  ///
  /// The median of the rounds' ratios: the two of a round were measured next to each other. Nil for the first itself.
  public let ratio: Double?
  /// What the ratio, or else the figure itself, is held against.
  public let bound: Double?
  /// Whether the goal was met; nil without a goal, and where the platform does not tell.
  public let isMet: Bool?

  init(of contender: Contender, _ samples: [Double], against first: [Double]?) {
    name = contender.name
    role = contender.role
    spread = Spread(samples)
    bound = contender.bound
    let ratio: Double? =
      switch contender.role {
      case .ours: nil
      case .peer: first.flatMap { Spread(zip(samples, $0).map { $0 / $1 })?.median }
      case .floor: first.flatMap { Spread(zip(samples, $0).map { $1 / $0 })?.median }
      }
    self.ratio = ratio
    isMet =
      if let bound, let figure = ratio ?? spread?.median {
        contender.role == .peer ? figure >= bound : figure <= bound
      } else {
        nil
      }
  }
}
