/// What was read in one run, and where.
public struct Report: Encodable, Sendable {
  /// The program that measured.
  public let program: String
  /// What stands first in each row.
  public let subject: String
  /// The machine.
  public let machine: Machine
  /// How often each contender had its turn.
  public let rounds: Int
  /// The rows, in the order of the table.
  public let rows: [RowReading]

  /// Makes a report.
  public init(program: String, subject: String, machine: Machine, rounds: Int, rows: [RowReading]) {
    self.program = program
    self.subject = subject
    self.machine = machine
    self.rounds = rounds
    self.rows = rows
  }

  /// How many goals were missed.
  public var missed: Int { rows.flatMap(\.readings).count { $0.isMet == false } }
}
