import Foundation

/// A program that measures rows in one run and prints what was read.
public struct Program {
  /// What it is run by.
  public let name: String
  /// What it does, in a sentence.
  public let summary: String
  let subject: String
  let effort: Effort
  let rows: [Row]

  /// Makes a program.
  ///
  /// - Parameters:
  ///   - subject: what stands first in each row.
  ///   - effort: how long each contender is measured for figures that are quoted.
  public init(name: String, summary: String, subject: String, effort: Effort, rows: [Row]) {
    self.name = name
    self.summary = summary
    self.subject = subject
    self.effort = effort
    self.rows = rows
  }

  /// Does what the command line asks for. Ends the process with 1 when a goal is missed that was to be checked, and with 2 on a
  /// wrong command line.
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
      throw UsageError(description: "No row's name contains \(filter). The rows are \(names).")
    }
    return found
  }

  private func json(of report: Report) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  /// Unlike `print`, keeps nothing back when the output goes to a file.
  private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  /// For standard error, so that standard output holds results only.
  private func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
