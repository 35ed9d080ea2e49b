/// What was read in one row.
public struct RowReading: Encodable, Sendable {
  /// What `--filter` knows the row by.
  public let name: String
  /// The work in words.
  public let work: String
  /// What the figures are.
  public let unit: Unit
  /// One for each contender, in order.
  public let readings: [Reading]
}
