import Bytes
import EventBus
import Foundation
import OriginServer
import RunPages
import ScenarioEngine
import ScenarioFormat

/// `fetcher demo`: walks through the photo list on the real clock, and shows the bus and the differences between the
/// strategies.
enum DemoCommand {
  static let all = CommandOption("--all", "print the full timeline of another scenario, once for each strategy")
  static let strategy = CommandOption(
    "--strategy", "A,B", "use only these strategies, in the table and with --all", alias: "--strategies")
  static let quiet = CommandOption("--quiet", "print only the table")

  static let html = PageOutput.option.saying("also write a page that plays back the first run")

  static let command = Command(
    name: "demo", summary: "shows a view, the event bus and four fetch strategies at work",
    options: [all, strategy, quiet, html],
    example: "fetcher demo --all --strategy dataTask,async", endsWithItsReader: true, run: run)

  /// The demo's scenarios, in the same folder as their pictures.
  enum Walk: String, CaseIterable {
    /// A single run in which the strategy changes.
    case walk = "demo-walk.json"
    /// The scenario that runs once for each row of the table.
    case strategies = "demo-strategies.json"
    /// The scenario that runs once for each timeline printed with `--all`.
    case all = "demo.json"
  }

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
    "fetcher demo --html demo.html                         a page that plays back the run above",
  ]

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let names = try StrategyNames.several(arguments) ?? StrategyNames.all
    for option in [all, quiet] where arguments.has(option) && arguments.has(html) {
      throw UsageError(
        "--html writes a page of the first run, but \(option.name) omits that run; remove one of the flags")
    }
    let pages = try PageOutput(arguments, context)
    var demo = Demo(folder: try context.resources.folder("pictures"), context: context)
    if !arguments.has(quiet) {
      if arguments.has(all) {
        for name in names { try await demo.printTimeline(of: name) }
      } else {
        for line in introduction { context.output.line(line) }
        try await demo.printWalk(pages)
      }
    }
    if !arguments.has(quiet) { context.output.line(tableTitle) }
    try await demo.printTable(names)
    if !arguments.has(quiet) {
      context.output.line()
      context.output.line("Next:")
      for line in next { context.output.line(line) }
    }
    return demo.failed ? .failed : .success
  }

  private struct Demo {
    let folder: URL
    let context: CommandContext
    private(set) var failed = false

    init(folder: URL, context: CommandContext) { (self.folder, self.context) = (folder, context) }

    mutating func printWalk(_ pages: PageOutput?) async throws {
      let (file, scenario, origin) = try start(.walk)
      let record = await ScenarioRunner(scenario: scenario, folder: folder, origin: origin, showsBus: true)
        .run(scenario.strategies[0])
      let lines = DemoWalk(record).lines(heading: bold) { context.output.style(.blue, $0) }
      for line in lines { context.output.line(line) }
      let outcome = judge(file, scenario, scenario.strategies[0], record)
      context.output.line()
      guard let pages else { return }
      let run = ScenarioRun.page(id: "walk", name: "walk", record, nil, outcome, scenario, file.source)
      let source = PageFile(file.source, path: Walk.walk.rawValue)
      let page = RunPage(
        title: scenario.shownTitle, subtitle: "fetcher demo · real clock", runs: [run], files: [source])
      if try !pages.write(page) { failed = true }
      context.output.line()
    }

    mutating func printTimeline(of strategy: String) async throws {
      let (file, scenario, origin) = try start(.all)
      context.output.line(bold("\(strategy): \(scenario.title)"))
      let record = await ScenarioRunner(scenario: scenario, folder: folder, origin: origin, showsBus: true)
        .run(strategy)
      let outcome = judge(file, scenario, strategy, record)
      for line in Timeline(record, outcome).lines(heading: bold) { context.output.line(line) }
      context.output.line()
    }

    mutating func printTable(_ strategies: [String]) async throws {
      var table = StrategyTable()
      for strategy in strategies {
        let (file, scenario, origin) = try start(.strategies)
        let large = OriginPath("/large.png")
        let atCancel = Locked(0)
        let record = await ScenarioRunner(
          scenario: scenario, folder: folder, origin: origin,
          onRecord: { event in
            guard event.kind == .fetchCancelled else { return }
            atCancel.withLock { $0 = origin.counters.bytesSentByPath[large] ?? 0 }
          }
        ).run(strategy)
        judge(file, scenario, strategy, record)
        // A cancelled transfer closes its connection, so the byte count is final when no connection is open.
        _ = origin.wait { $0.open == 0 }
        let counters = origin.counters
        table.add(
          strategy, record,
          sent: (atCancel.withLock { $0 }, counters.bytesSentByPath[large] ?? 0), connections: counters.connections)
      }
      for line in table.lines(heading: bold) { context.output.line(line) }
    }

    private func start(_ walk: Walk) throws -> (ScenarioFile, Scenario, OriginServer) {
      let file = try ScenarioPaths.read(folder.appending(path: walk.rawValue).path)
      let scenario = try file.valid(context.notes)
      return (file, scenario, try context.startOrigin())
    }

    @discardableResult
    private mutating func judge(
      _ file: ScenarioFile, _ scenario: Scenario, _ strategy: String, _ record: RunRecord
    ) -> ScenarioOutcome {
      let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .real, record)
      for failure in outcome.failures {
        context.notes.line(context.notes.style(.red, "broken:") + " \(strategy): \(visible(failure.message))")
      }
      failed = failed || !outcome.ok
      return outcome
    }

    private func bold(_ text: String) -> String { context.output.style(.bold, text) }
  }
}
