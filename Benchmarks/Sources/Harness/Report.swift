/// The readings of one run, and its machine.
public struct Report: Encodable, Sendable {
  /// The name of the benchmark program.
  public let program: String
  /// The first contender of each row, for the header of the table.
  public let subject: String
  /// The machine.
  public let machine: Machine
  /// The number of turns of each contender.
  public let rounds: Int
  /// The rows, in the order of the table.
  public let rows: [RowReading]

  /// Creates a report.
  public init(program: String, subject: String, machine: Machine, rounds: Int, rows: [RowReading]) {
    self.program = program
    self.subject = subject
    self.machine = machine
    self.rounds = rounds
    self.rows = rows
  }

  /// The number of missed goals.
  public var missed: Int { rows.flatMap(\.readings).count { $0.isMet == false } }
}
