/// The figures of one contender, and the result of its goal.
public struct Reading: Encodable, Sendable {
  /// The contender's name.
  public let name: String
  /// The contender's relation to the first contender of the row.
  public let role: Contender.Role
  /// The figures in the unit of the row, or nil if the platform does not report them.
  public let spread: Spread?
  /// For a peer, its time divided by that of the first contender. For a floor, the time of the first contender divided by its time.
  ///
  /// This is the median of the ratios of the rounds, because the two times of a round are adjacent. Nil for the first contender.
  public let ratio: Double?
  /// The bound for the ratio, or for the figure if there is no ratio.
  public let bound: Double?
  /// Whether the goal was met. Nil without a goal, or if the platform does not report the figure.
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
