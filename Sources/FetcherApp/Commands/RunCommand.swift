import Foundation
import OriginServer

/// `fetcher run`: scenarios, once for each strategy.
enum RunCommand {
  static let command = Command(
    name: "run", summary: "runs scenarios and checks what they expect", arguments: "FILE...", needsArguments: true,
    options: [
      CommandOption("--strategy", "NAME", "this strategy, or `all`; by default those of the file"),
      CommandOption(
        "--clock", "NAME", "`virtual`, where waiting takes no time, or `real`; by default that of the file"),
      CommandOption("--json", nil, "the outcome as JSON"),
      CommandOption("--junit", "FILE", "the outcome for a build server as well"),
      CommandOption("--timeline", nil, "what happened, one column for each lane"),
      CommandOption("--mermaid", nil, "the same as a Mermaid sequence diagram"),
      CommandOption("--trace", "FILE", "all runs as a trace for Perfetto or Chrome"),
      CommandOption("--quiet", nil, "only what failed"),
    ],
    example: "fetcher run scenarios/late-response.json --strategy all", run: run)

  private struct Report: Encodable {
    let runs: [ScenarioOutcome]
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let asked = try arguments["--strategy"].map { (name) throws(UsageError) in try strategies(name) }
    // All files are read before the first run: a mistake in the last one should not cost the time of the others.
    let files = try ScenarioPaths.expand(arguments.arguments).map { (path) throws(CommandFailure) in
      try ScenarioFile(path: path)
    }
    for file in files { file.complain(to: context.notes) }
    guard files.allSatisfy({ $0.scenario != nil }) else { return .invalidScenario }
    let clock = try arguments["--clock"].map { (name) throws(UsageError) in try self.clock(name) }
    let plans = plans(files, clock, context)
    // The virtual clock needs no server.
    let origin = try plans.contains { $0.clock == .real } ? OriginCommand.start(port: 0, OriginContent(), context) : nil
    var outcomes: [ScenarioOutcome] = []
    var trace = ChromeTrace()
    for plan in plans {
      for strategy in asked ?? plan.strategies {
        let record = await plan.run(strategy, origin, tracesClosures: arguments["--trace"] != nil)
        let outcome = ScenarioOutcome(
          of: plan.scenario, plan.source, strategy: strategy, clock: plan.clock, record)
        outcomes.append(outcome)
        trace.add(outcome.name, record)
        tell(outcome, record, plan.source.path, arguments, context.output)
      }
    }
    if let path = arguments["--trace"] { try write(JSONText.of(trace.json), to: path) }
    try report(outcomes, files.count, arguments, context.output)
    return outcomes.allSatisfy(\.ok) ? .success : .failed
  }

  /// One file on one clock.
  private struct Plan {
    let scenario: Scenario
    let source: SourceText
    let clock: Scenario.Clock

    var strategies: [String] { scenario.strategies.isEmpty ? [StrategyNames.standard] : scenario.strategies }

    func run(_ strategy: String, _ origin: OriginServer?, tracesClosures: Bool) async -> RunRecord {
      let folder = URL(filePath: source.path).deletingLastPathComponent()
      guard let origin, clock == .real else {
        return VirtualScenarioRunner(scenario: scenario, folder: folder, tracesClosures: tracesClosures).run(strategy)
      }
      return await ScenarioRunner(scenario: scenario, folder: folder, origin: origin, tracesClosures: tracesClosures)
        .run(strategy)
    }
  }

  /// What is to be run, and a note about what is not.
  private static func plans(_ files: [ScenarioFile], _ asked: Scenario.Clock?, _ context: CommandContext) -> [Plan] {
    files.compactMap { file in
      guard let scenario = file.scenario else { return nil }
      let clock = asked ?? (scenario.clocks.contains(scenario.clock) ? scenario.clock : scenario.clocks[0])
      guard scenario.clocks.contains(clock) else {
        context.notes.line("\(file.source.path): left out, it does not hold on the \(clock.rawValue) clock")
        return nil
      }
      return Plan(scenario: scenario, source: file.source, clock: clock)
    }
  }

  private static func clock(_ name: String) throws(UsageError) -> Scenario.Clock {
    guard let clock = Scenario.Clock(rawValue: name) else {
      throw .unknown("clock", name, among: Scenario.Clock.allCases.map(\.rawValue))
    }
    return clock
  }

  private static func strategies(_ name: String) throws(UsageError) -> [String] {
    if name == "all" { return StrategyNames.all }
    guard StrategyNames.all.contains(name) else {
      throw .unknown("strategy", name, among: StrategyNames.all + ["all"])
    }
    return [name]
  }

  private static func tell(
    _ outcome: ScenarioOutcome, _ record: RunRecord, _ file: String, _ arguments: ParsedArguments, _ output: Output
  ) {
    guard !arguments.has("--json"), !outcome.ok || !arguments.has("--quiet") else { return }
    let style = output.style
    output.line("\(outcome.ok ? style(.green, "passed") : style(.red, "failed"))  \(outcome.name)")
    for failure in outcome.failures {
      output.line("  \(file):\(failure.line):\(failure.column): \(failure.message)")
      if let why = failure.why { output.line("    \(why)") }
    }
    if arguments.has("--timeline") {
      let failures = Dictionary(
        outcome.failures.compactMap { failure in failure.step.map { ($0, [failure.message]) } }, uniquingKeysWith: +)
      for line in Timeline(events: record.events, failures: failures).lines(style) { output.line(line) }
    }
    if arguments.has("--mermaid") {
      for line in MermaidDiagram(events: record.events).lines { output.line(line) }
    }
  }

  private static func report(
    _ outcomes: [ScenarioOutcome], _ files: Int, _ arguments: ParsedArguments, _ output: Output
  ) throws {
    if let path = arguments["--junit"] { try write(JUnitReport(outcomes: outcomes).text, to: path) }
    if arguments.has("--json") {
      output.line(try JSONText.of(Report(runs: outcomes)))
    } else if files > 1 {
      output.line("\(outcomes.count) runs of \(files) scenarios, \(outcomes.count { !$0.ok }) failed")
    }
  }

  private static func write(_ text: String, to path: String) throws(CommandFailure) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path))
    } catch {
      throw .cannotStart("cannot write \(path): \(error.localizedDescription)")
    }
  }
}
