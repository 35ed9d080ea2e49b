import EventBus
import FetcherModel
import Foundation
import OriginServer
import ScenarioEngine

/// `fetcher demo`: the whole path, once for each strategy.
enum DemoCommand {
  static let command = Command(
    name: "demo", summary: "walks through the photo list with each strategy and shows what happens",
    options: [
      CommandOption("--catalogue", "FILE", "the list of pictures, beside the pictures themselves"),
      CommandOption("--strategy", "A,B", "only these strategies", alias: "--strategies"),
      CommandOption("--quiet", nil, "the summary only"),
    ],
    example: "fetcher demo --strategy dataTask,async", endsWithItsReader: true, run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let names = try arguments.list("--strategy", of: StrategyNames.all, or: StrategyNames.all)
    let plan = try plan(arguments, context)
    let origin = try OriginCommand.start(port: 0, OriginContent(), context)
    let output = context.output
    var table = Table(DemoSummary.columns)
    var broken: [String] = []
    for name in names {
      if !arguments.has("--quiet") { output.line(output.style(.bold, "\(name): \(plan.catalogue.title)")) }
      let isQuiet = arguments.has("--quiet")
      let walk = try DemoWalk(name, plan: plan, origin: origin) { entry in
        if !isQuiet { output.line(line(entry, output.style)) }
      }
      let summary = try await walk.run()
      table.add(summary.cells)
      broken += summary.broken.map { "\(name): \($0)" }
      if !isQuiet { output.line() }
    }
    for line in table.lines(output.style) { output.line(line) }
    for line in broken { context.notes.line(context.notes.style(.red, "broken promise:") + " " + line) }
    return broken.isEmpty ? .success : .failed
  }

  private static func plan(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandFailure) -> DemoPlan {
    if let file = arguments["--catalogue"] { return try DemoPlan(catalogue: URL(filePath: file)) }
    return try DemoPlan(catalogue: context.resources.folder("pictures").appending(path: "holidayslideshow.json"))
  }

  private static func line(_ entry: Journal.Entry, _ style: Style) -> String {
    let time = String(entry.time.inMilliseconds)
    let lane = entry.lane.rawValue
    let look: Style.Look =
      switch entry.lane {
      case .user: .yellow
      case .view: .green
      case .model: .blue
      case .origin: .magenta
      }
    return String(repeating: " ", count: max(0, 6 - time.count)) + style(.dim, "\(time) ms") + "  "
      + style(look, lane + String(repeating: " ", count: 6 - lane.count)) + "  " + entry.text
  }
}
