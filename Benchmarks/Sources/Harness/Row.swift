/// A piece of work and its contenders. The first contender is compared with each of the others.
public struct Row {
  /// The name for `--filter`.
  public let name: String
  /// A description of the work.
  public let work: String
  /// The unit of the figures.
  public let unit: Unit
  /// The contenders; never empty.
  public let contenders: [Contender]

  /// Creates a row.
  public init(_ name: String, _ work: String, unit: Unit = .nanoseconds, _ contenders: [Contender]) {
    require(!contenders.isEmpty, "the row \(name) has no contenders")
    self.name = name
    self.work = work
    self.unit = unit
    self.contenders = contenders
  }
}
