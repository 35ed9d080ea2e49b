/// The readings of one row.
public struct RowReading: Encodable, Sendable {
  /// The name for `--filter`.
  public let name: String
  /// A description of the work.
  public let work: String
  /// The unit of the figures.
  public let unit: Unit
  /// One reading per contender, in order.
  public let readings: [Reading]
}
