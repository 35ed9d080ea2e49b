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
    for plan in plans {
      for strategy in asked ?? plan.strategies {
        let outcome = await plan.outcome(strategy, origin)
        outcomes.append(outcome)
        if !arguments.has("--json") {
          tell(outcome, plan.source.path, isQuiet: arguments.has("--quiet"), context.output)
        }
      }
    }
    try report(outcomes, files.count, arguments, context.output)
    return outcomes.allSatisfy(\.ok) ? .success : .failed
  }

  /// One file on one clock.
  private struct Plan {
    let scenario: Scenario
    let source: SourceText
    let clock: Scenario.Clock

    var strategies: [String] { scenario.strategies.isEmpty ? [StrategyNames.standard] : scenario.strategies }

    func outcome(_ strategy: String, _ origin: OriginServer?) async -> ScenarioOutcome {
      let folder = URL(filePath: source.path).deletingLastPathComponent()
      let record =
        if let origin, clock == .real {
          await ScenarioRunner(scenario: scenario, folder: folder, origin: origin).run(strategy)
        } else {
          VirtualScenarioRunner(scenario: scenario, folder: folder).run(strategy)
        }
      return ScenarioOutcome(of: scenario, source, strategy: strategy, clock: clock, record)
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

  private static func tell(_ outcome: ScenarioOutcome, _ file: String, isQuiet: Bool, _ output: Output) {
    let style = output.style
    if outcome.ok {
      if !isQuiet { output.line("\(style(.green, "passed"))  \(outcome.name)") }
      return
    }
    output.line("\(style(.red, "failed"))  \(outcome.name)")
    for failure in outcome.failures {
      output.line("  \(file):\(failure.line):\(failure.column): \(failure.message)")
      if let why = failure.why { output.line("    \(why)") }
    }
  }

  private static func report(
    _ outcomes: [ScenarioOutcome], _ files: Int, _ arguments: ParsedArguments, _ output: Output
  ) throws {
    if let path = arguments["--junit"] {
      do {
        try Data(JUnitReport(outcomes: outcomes).text.utf8).write(to: URL(filePath: path))
      } catch {
        throw CommandFailure.cannotStart("cannot write \(path): \(error.localizedDescription)")
      }
    }
    if arguments.has("--json") {
      output.line(try JSONText.of(Report(runs: outcomes)))
    } else if files > 1 {
      output.line("\(outcomes.count) runs of \(files) scenarios, \(outcomes.count { !$0.ok }) failed")
    }
  }
}
