import CommandLineTool
import FetcherModel
import Foundation
import OriginServer
import PlainText

/// `fetcher demo`: walks through the photo list, and shows the bus and the differences between the strategies.
enum DemoCommand {
  static let all = CommandOption("--all", "print the full timeline of another scenario, once for each strategy")
  static let strategy = CommandOption(
    "--strategy", "A,B", "use only these strategies, in the table and with --all", alias: "--strategies",
    words: Laboratory.strategies.all + ["all"])
  static let quiet = CommandOption("--quiet", "print only the table")
  static let html = Laboratory.page.saying("also write a page that plays back the same walk")

  static let command = Command(
    name: "demo", summary: "shows a view, the event bus and four fetch strategies at work",
    options: [all, strategy, quiet, html],
    example: "fetcher demo --all --strategy dataTask,async", endsWithItsReader: true, run: run)

  private static let introduction = [
    "A model fetches pictures and posts ImageFetched or ImageFetchFailed on an event bus. A view, detail,",
    "subscribes to both events for its picture, and draws on main when the bus delivers one. It cancels",
    "the subscription, but not the fetch, when it stops showing the picture. The run switches strategies.",
  ]

  private static let tableTitle =
    "One more run for each strategy: a fetch that gets a 404, then a 1 MB fetch, cancelled after 0.1 s."

  private static let next = [
    "fetcher run scenarios/late-response.json --timeline   two quick selections, as a scenario",
    "fetcher compare                                       how fast each strategy is",
    "fetcher lesson L03                                    repair a view that shows a late response",
    "fetcher demo --html demo.html                         a page that plays back this walk",
    "fetcher serve                                         use the sample in a browser, and watch the bus",
  ]

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let names = try Laboratory.strategies.several(arguments) ?? Laboratory.strategies.all
    for option in [all, quiet] where arguments.has(option) && arguments.has(html) {
      throw UsageError(
        "--html writes a page of the walk, but \(option.name) omits the walk; remove one of the flags")
    }
    let writePage = try Laboratory.pageOfWalk(arguments, context)
    var isRight = true
    if arguments.has(all), !arguments.has(quiet) {
      isRight = try await Laboratory.printTimelines(of: names, context)
    } else if !arguments.has(quiet) {
      for line in introduction { context.output.line(line) }
      isRight = try await printWalk(context)
      if let writePage {
        isRight = try await writePage() && isRight
        context.output.line()
      }
    }
    if !arguments.has(quiet) { context.output.line(tableTitle) }
    isRight = try await printTable(of: names, context) && isRight
    if !arguments.has(quiet) {
      context.output.line()
      context.output.line("Next:")
      for line in next { context.output.line(line) }
    }
    return isRight ? .success : .failed
  }

  @MainActor private static func printWalk(_ context: CommandContext) async throws -> Bool {
    let folder = try context.resources.folder("pictures")
    let walk = DemoWalk(try start(DemoWalk.content(of: folder), context).baseURL, folder: folder)
    let problem = try await walk.run()
    let style = context.output.style
    for line in walk.log.lines(heading: { style(.bold, $0) }, note: { style(.blue, $0) }) { context.output.line(line) }
    if let problem { report(problem, context) }
    context.output.line()
    return problem == nil
  }

  @MainActor private static func printTable(of names: [String], _ context: CommandContext) async throws -> Bool {
    var table = StrategyTable()
    var isRight = true
    for name in names {
      let origin = try start(StrategyTable.content, context)
      let errors = try await table.run(name, Laboratory.register, origin)
      if errors[0] == nil { report("\(name): the fetch of a missing picture succeeded", context) }
      if errors[1] != .cancelled { report("\(name): the cancelled fetch did not end with cancelled", context) }
      isRight = isRight && errors[0] != nil && errors[1] == .cancelled
    }
    for line in table.lines(heading: { context.output.style(.bold, $0) }) { context.output.line(line) }
    return isRight
  }

  private static func start(_ content: OriginContent, _ context: CommandContext) throws -> OriginServer {
    try context.start({ try OriginServer(content: content) }, stop: { $0.stop() })
  }

  private static func report(_ problem: String, _ context: CommandContext) {
    context.notes.line(context.notes.style(.red, "broken:") + " \(visible(problem))")
  }
}
