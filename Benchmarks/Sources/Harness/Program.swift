import Foundation

/// A benchmark program: measures rows in one run and prints the readings.
public struct Program {
  /// The name of the executable.
  public let name: String
  /// A one-sentence summary for the help.
  public let summary: String
  let subject: String
  let effort: Effort
  let rows: [Row]

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - subject: the first contender of each row, for the header of the table.
  ///   - effort: the duration of the measurement without `--quick`.
  public init(name: String, summary: String, subject: String, effort: Effort, rows: [Row]) {
    self.name = name
    self.summary = summary
    self.subject = subject
    self.effort = effort
    self.rows = rows
  }

  /// Runs the program with the arguments of the process. Exits with 1 if `--check` is set and a goal is missed, and with 2 for an
  /// invalid command line.
  public func run() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.showsHelp { return say(Options.help(self)) }
      let page = try options.page.map { try Page($0, for: name) }
      let report = try measure(options)
      if options.printsJSON { say(try json(of: report)) }
      try page?.update(with: report)
      note("goals missed: \(report.missed)")
      if options.checksGoals, report.missed > 0 { exit(1) }
    } catch {
      note("\(name): \(error)")
      exit(2)
    }
  }

  private func measure(_ options: Options) throws -> Report {
    let effort = options.isQuick ? Effort.quick : effort
    let machine = Machine.current
    note("\(machine)")
    let rows = try rows(matching: options.filter).map { row in
      let reading = row.measure(effort)
      options.printsJSON ? note(row.name) : say(reading.text + "\n")
      return reading
    }
    return Report(program: name, subject: subject, machine: machine, rounds: effort.rounds, rows: rows)
  }

  private func rows(matching filter: String?) throws(UsageError) -> [Row] {
    guard let filter else { return rows }
    let found = rows.filter { $0.name.contains(filter) }
    guard !found.isEmpty else {
      let names = rows.map(\.name).joined(separator: ", ")
      throw UsageError(description: "no row's name contains \(filter); the rows are \(names)")
    }
    return found
  }

  private func json(of report: Report) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  /// Unlike `print`, does not buffer if standard output is a file.
  private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  /// Writes to standard error, so that standard output contains only results.
  private func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
