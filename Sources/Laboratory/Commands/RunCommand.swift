import CommandLineTool
import EventBus
import Foundation
import OriginServer
import PlainText
import RunPages
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer

/// `fetcher run`: runs scenarios, once per strategy.
enum RunCommand {
  static let clock = CommandOption(
    "--clock", "NAME", "`virtual`, where waiting takes no time, or `real`; by default the file's clock",
    words: Scenario.Clock.allCases.map(\.rawValue))
  static let seed = CommandOption("--seed", "N", "the seed for random choices; by default the file's seed")
  static let json = ResultOptions.json.saying("the outcome as JSON")
  static let events = CommandOption("--events", "include every event in the JSON")
  static let matrix = CommandOption(
    "--matrix", "the outcome as a table: one row per scenario, one column per strategy")
  static let junit = ResultOptions.junit.saying("also write the outcome as JUnit XML")
  static let timeline = CommandOption("--timeline", "print all events, with one column per lane and one for the bus")
  static let bus = CommandOption(
    "--bus", "add bus events to --events, and keep the bus column in a timeline wider than the terminal")
  static let noBus = CommandOption("--no-bus", "omit the bus column, and the bus events of the model and its views")
  static let mermaid = ResultOptions.mermaid.saying("the run as a Mermaid sequence diagram")
  static let trace = ResultOptions.trace.saying("also write all runs as a trace for Perfetto or Chrome")

  static let command = Command(
    name: "run", summary: "runs scenarios and verifies their expectations", arguments: "FILE...", needsArguments: true,
    options: [
      StrategyOption.program.option, clock, seed, json, events, matrix, junit, timeline, bus, noBus, mermaid, trace,
      RunPageCollector.option,
      ResultOptions.quiet,
    ],
    foreignFlags: ExploreOptions.foreignFlags, foreignNames: ["test", "play", "simulate"],
    example: "fetcher run scenarios/late-response.json --strategy all", run: run)

  /// The settings from the flags, which override those of the files.
  private struct Options {
    let strategies: [String]?
    let clock: Scenario.Clock?
    let seed: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
      strategies = try StrategyOption.program.several(arguments)
      let clocks = Scenario.Clock.allCases.map(\.rawValue)
      let name = arguments[RunCommand.clock]
      clock = name.flatMap(Scenario.Clock.init(rawValue:))
      if let name, clock == nil { throw .unknown("clock", name, among: clocks) }
      seed = try arguments.number(RunCommand.seed, in: Scenario.seeds)
    }
  }

  /// One run: a file with a clock and a strategy.
  private struct Plan {
    let scenario: Scenario
    let source: SourceText
    let clock: Scenario.Clock
    let strategy: String
    let variant: String
    let program: ProgramRegistry.Make

    /// - Parameter recordsItems: whether to record the ready items, which is possible only on the virtual clock.
    func run(
      tracesClosures: Bool, showsBus: Bool, recordsItems: Bool
    ) async throws(CommandFailure) -> (RunRecord, RecordedRun?) {
      let folder = URL(filePath: source.path).deletingLastPathComponent()
      guard clock == .real else {
        let runner = VirtualScenarioRunner(
          scenario: scenario, folder: folder, program: program, tracesClosures: tracesClosures, showsBus: showsBus)
        guard recordsItems else { return (runner.run(strategy), nil) }
        let recorded = RecordedScenario(runner, strategy) {
          VirtualSchedule(policy: $0.policy, observer: $0.observer)
        }
        return (recorded.record, recorded.items)
      }
      // Each run gets a separate origin: if a connection of an earlier run broke, the client would retry unnoticed.
      let origin: OriginServer
      do { origin = try OriginServer(content: OriginContent()) } catch { throw .cannotStart("\(error)") }
      defer { origin.stop() }
      let record = await ScenarioRunner(
        scenario: scenario, folder: folder, origin: origin, program: program, tracesClosures: tracesClosures,
        showsBus: showsBus
      ).run(strategy)
      return (record, nil)
    }
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let options = try Options(arguments)
    _ = try arguments.shape(of: "run", [json, matrix, timeline, mermaid])
    if arguments.has(events), !arguments.has(json) { throw UsageError("--events needs --json") }
    if arguments.has(bus), arguments.has(noBus) { throw UsageError("--bus and --no-bus cannot be combined") }
    // Reads all files before the first run, so that a mistake in the last file is reported before any scenario runs.
    let files = try ScenarioPaths.readAll(arguments.arguments)
    try ScenarioPaths.validate(files, context.notes)
    try ScenarioPaths.validate([trace, junit, RunPageCollector.option], of: arguments, writtenBeside: files)
    let plans = files.flatMap { self.plans($0, options, context) }
    guard !plans.isEmpty else { throw UsageError("no scenario runs on this clock; omit --clock, or use another clock") }
    if arguments.has(mermaid), plans.count > 1 {
      throw UsageError(
        "--mermaid draws one run, but these arguments select \(plans.count); specify one file and one --strategy")
    }
    // Writing the page counts as another run.
    let amount = plans.count + (arguments.has(RunPageCollector.option) ? 1 : 0)
    let progress = ProgressLine(
      DispatchRuntime.shared, expected: Double(amount), inSeconds: false, delay: .seconds(2))
    defer { progress.end() }
    let pages = try RunPageCollector(arguments, files, context, progress)
    let report = RunReport(arguments: arguments, context: context, fileCount: files.count)
    let isShown = [trace, timeline, mermaid, bus, RunPageCollector.option].contains(where: arguments.has)
    context.shutdown.atEnd {
      progress.end()
      report.interrupt(planned: plans.count)
    }
    for plan in plans {
      progress.show(visible("\(plan.scenario.name), \(plan.strategy)"))
      let start = DispatchRuntime.shared.now
      let (record, items) = try await plan.run(
        tracesClosures: arguments.has(trace), showsBus: isShown && !arguments.has(noBus), recordsItems: pages != nil)
      let outcome = ScenarioOutcome(
        of: plan.scenario, plan.source, strategy: plan.strategy, variant: plan.variant, clock: plan.clock, record)
      progress.clear()
      report.add(outcome, record, wall: DispatchRuntime.shared.now - start)
      pages?.add(plan.scenario, plan.source, outcome, record, items)
      progress.advance(by: 1)
    }
    progress.clear()
    let code = try report.finish()
    return pages?.finish() ?? true || code != .success ? code : .cannotStart
  }

  /// Returns the planned runs for a file. Prints a note if there are none.
  private static func plans(_ file: ScenarioFile, _ options: Options, _ context: CommandContext) -> [Plan] {
    guard var scenario = file.scenario else { return [] }
    let clock = options.clock ?? (scenario.clocks.contains(scenario.clock) ? scenario.clock : scenario.clocks[0])
    guard scenario.clocks.contains(clock) else {
      context.notes.line(
        "\(visible(file.source.path)): skipped, because its expectations do not hold on the \(clock.rawValue) clock")
      return []
    }
    scenario.seed = options.seed ?? scenario.seed
    return scenario.variants.flatMap { [scenario] variant -> [Plan] in
      guard let program = ProgramRegistry.shipped.make(scenario.program, variant: variant) else { return [] }
      return (options.strategies ?? scenario.plannedStrategies).map { strategy in
        Plan(
          scenario: scenario, source: file.source, clock: clock, strategy: strategy, variant: variant, program: program)
      }
    }
  }
}
