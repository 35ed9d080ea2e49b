import Foundation
import Harness

@main
struct BusBenchmarks {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.showsHelp { return say(Options.help) }
      let page = try options.page.map(Page.init)
      let report = try measure(options)
      if options.printsJSON { say(try json(of: report)) }
      try page?.update(with: report)
      note("goals missed: \(report.missed)")
      if options.checksGoals, report.missed > 0 { exit(1) }
    } catch {
      note("bus-benchmarks: \(error)")
      exit(2)
    }
  }

  private static func measure(_ options: Options) throws -> Report {
    let effort = options.isQuick ? Effort.quick : .full
    let machine = Machine.current
    note("\(machine)")
    let rows = try AllRows.matching(options.filter).map { row in
      let reading = row.measure(effort)
      options.printsJSON ? note(row.name) : say(reading.text + "\n")
      return reading
    }
    return Report(machine: machine, rounds: effort.rounds, rows: rows)
  }

  private static func json(of report: Report) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  /// Unlike `print`, keeps nothing back when the output goes to a file.
  private static func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  /// For standard error, so that standard output holds results only.
  private static func note(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
