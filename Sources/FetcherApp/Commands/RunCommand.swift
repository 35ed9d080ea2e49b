import Foundation
import OriginServer

/// `fetcher run`: scenarios, once for each strategy.
enum RunCommand {
  static let command = Command(
    name: "run", summary: "runs scenarios and checks what they expect", arguments: "FILE...", needsArguments: true,
    options: [
      CommandOption("--strategy", "NAME", "this strategy, or `all`; by default those of the file"),
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
    let origin = try OriginCommand.start(port: 0, OriginContent(), context)
    var outcomes: [ScenarioOutcome] = []
    for file in files {
      guard let scenario = file.scenario else { continue }
      guard scenario.clocks.contains(.real) else {
        context.notes.line("\(file.source.path): left out, it holds on the virtual clock only")
        continue
      }
      let folder = URL(filePath: file.source.path).deletingLastPathComponent()
      let runner = ScenarioRunner(scenario: scenario, folder: folder, origin: origin)
      let named = scenario.strategies.isEmpty ? [StrategyNames.standard] : scenario.strategies
      for strategy in asked ?? named {
        let record = await runner.run(strategy)
        let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .real, record)
        outcomes.append(outcome)
        if !arguments.has("--json") {
          tell(outcome, file.source.path, isQuiet: arguments.has("--quiet"), context.output)
        }
      }
    }
    try report(outcomes, files.count, arguments, context.output)
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
