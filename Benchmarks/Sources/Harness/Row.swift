/// A piece of work, and those who do it. The first of them is what the others are compared with.
public struct Row {
  /// What `--filter` knows the row by.
  public let name: String
  /// The work in words.
  public let work: String
  /// What is read.
  public let unit: Unit
  /// Who does the work; never empty.
  public let contenders: [Contender]

  /// Makes a row.
  public init(_ name: String, _ work: String, unit: Unit = .nanoseconds, _ contenders: [Contender]) {
    require(!contenders.isEmpty, "The row \(name) has nobody to measure.")
    self.name = name
    self.work = work
    self.unit = unit
    self.contenders = contenders
  }
}
