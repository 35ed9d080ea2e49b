/// What was read in one run, and where.
public struct Report: Encodable, Sendable {
  /// The machine.
  public let machine: Machine
  /// How often each contender had its turn.
  public let rounds: Int
  /// The rows, in the order of the table.
  public let rows: [RowReading]

  /// Makes a report.
  public init(machine: Machine, rounds: Int, rows: [RowReading]) {
    self.machine = machine
    self.rounds = rounds
    self.rows = rows
  }

  /// How many goals were missed.
  public var missed: Int { rows.flatMap(\.readings).count { $0.isMet == false } }
}
