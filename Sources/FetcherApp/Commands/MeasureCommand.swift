import Comparison
import EventBus
import FetcherModel
import Foundation
import ScenarioFormat

/// `fetcher measure`: the child of `compare`, which measures one contender in a process of its own.
enum MeasureCommand {
  static let command = Command(
    name: "measure", summary: "measures one strategy, as the child of `compare`",
    options: [CommandOption("--plan", "JSON", "what to measure")],
    example: "fetcher measure --plan '{...}'", isHidden: true, run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    guard let plan = arguments["--plan"].flatMap({ try? JSONDecoder().decode(MeasurePlan.self, from: Data($0.utf8)) })
    else { throw UsageError("measure needs --plan JSON; `fetcher compare` starts it") }
    if let strategy = plan.strategy, !StrategyNames.all.contains(strategy) {
      throw UsageError.unknown("strategy", strategy, among: StrategyNames.all)
    }
    let parent = ParentWatch(context.shutdown)
    defer { parent.end() }
    let result = try await WorkloadRun(plan: plan, runtime: DispatchRuntime.shared).measure()
    context.output.line(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    return .success
  }
}
