import Bytes
import EventBus
import Foundation
import OriginServer
import ScenarioEngine
import ScenarioFormat

/// `fetcher demo`: the shipped walk through the photo list on the real clock, once for each strategy.
enum DemoCommand {
  static let command = Command(
    name: "demo", summary: "walks through the photo list with each strategy and shows what happens",
    options: [
      CommandOption("--strategy", "A,B", "only these strategies", alias: "--strategies"),
      CommandOption("--quiet", nil, "the summary only"),
    ],
    example: "fetcher demo --strategy dataTask,async", endsWithItsReader: true, run: run)

  /// Where the walk stands among the pictures that it shows.
  static let file = "demo.json"

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let names = try StrategyNames.several(arguments) ?? StrategyNames.all
    let folder = try context.resources.folder("pictures")
    let file = try ScenarioPaths.read(folder.appending(path: file).path)
    let scenario = try file.valid(context.notes)
    let origin = try OriginCommand.start(port: 0, OriginContent(), context)
    let output = context.output
    var table = Table([
      .text("strategy"), .number("fetched"), .number("failed"), .number("requests"), .number("seconds"),
      .text("expectations"),
    ])
    var failed = false
    for name in names {
      if !arguments.has("--quiet") { output.line(output.style(.bold, "\(name): \(scenario.title)")) }
      let record = await ScenarioRunner(scenario: scenario, folder: folder, origin: origin).run(name)
      let outcome = ScenarioOutcome(of: scenario, file.source, strategy: name, clock: .real, record)
      if !arguments.has("--quiet") {
        // Progress comes as often as the network likes.
        let timeline = Timeline(events: record.events.filter { $0.kind != .fetchProgress }, failures: [:])
        for line in timeline.lines(heading: { output.style(.bold, $0) }) { output.line(line) }
        output.line()
      }
      let count = { kind in "\(record.events.count { $0.kind == kind })" }
      table.add([
        name, count(.fetchDone), count(.fetchFailed), count(.requestBegin), record.duration.inSeconds.fixed(2),
        outcome.ok ? "hold" : "broken",
      ])
      for failure in outcome.failures {
        context.notes.line(context.notes.style(.red, "broken:") + " \(name): \(visible(failure.message))")
      }
      failed = failed || !outcome.ok
    }
    for line in table.lines(heading: { output.style(.bold, $0) }) { output.line(line) }
    return failed ? .failed : .success
  }
}
