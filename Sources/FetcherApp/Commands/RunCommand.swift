import OriginServer

/// `fetcher run`: scenarios, once for each strategy.
enum RunCommand {
  static let command = Command(
    name: "run", summary: "runs scenarios and checks what they expect", arguments: "FILE...", needsArguments: true,
    options: [
      CommandOption("--strategy", "NAME", "this strategy, or `all`; by default those of the file"),
      CommandOption("--json", nil, "the outcome as JSON"),
      CommandOption("--quiet", nil, "only what failed"),
    ],
    example: "fetcher run scenarios/late-response.json --strategy all", run: run)

  private struct Report: Encodable {
    let runs: [ScenarioOutcome]
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let asked = try arguments["--strategy"].map { (name) throws(UsageError) in try strategies(name) }
    // All files are read before the first run: a mistake in the last one should not cost the time of the others.
    let files = try arguments.arguments.map { (file) throws(CommandFailure) in
      (file: file, scenario: try ScenarioReader.read(file))
    }
    let origin = try OriginCommand.start(port: 0, OriginContent(), context)
    var outcomes: [ScenarioOutcome] = []
    for (file, scenario) in files {
      let named = scenario.strategies.isEmpty ? [StrategyNames.standard] : scenario.strategies
      for strategy in asked ?? named {
        let outcome = try await ScenarioRunner(scenario: scenario, origin: origin).run(strategy)
        outcomes.append(outcome)
        if !arguments.has("--json") { tell(outcome, file, isQuiet: arguments.has("--quiet"), context.output) }
      }
    }
    if arguments.has("--json") { context.output.line(try JSONText.of(Report(runs: outcomes))) }
    return outcomes.allSatisfy(\.ok) ? .success : .failed
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
      if !isQuiet { output.line("\(style(.green, "passed"))  \(outcome.scenario)  \(outcome.strategy)") }
      return
    }
    output.line("\(style(.red, "failed"))  \(outcome.scenario)  \(outcome.strategy)")
    for failure in outcome.failures { output.line("  \(file): \(failure.expectation): \(failure.message)") }
  }
}
