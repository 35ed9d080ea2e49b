package import CommandLineTool
package import FetcherModel
import OriginServer
import ScenarioEngine

/// Everything of the laboratory that the program offers.
package enum LaboratoryCommands {
  /// The commands, in help order.
  package static let all = [
    SystemCommand.command, RunCommand.command, CheckCommand.command, ExploreCommand.command, LessonCommand.command,
    CompareCommand.command, OriginCommand.command, ServeCommand.command, MeasureCommand.command, ExhibitCommand.command,
  ]

  /// Sets the strategies that every command has in addition to the model's. Call it before the first use of
  /// `StrategyOption.program`.
  package static func use(_ strategies: [StrategyFactory]) { LaboratoryStrategies.use(strategies) }

  /// Adds these strategies to an environment.
  package static func register(in environment: FetchEnvironment) { LaboratoryStrategies.register(in: environment) }

  /// All strategies on the real network.
  package static var strategies: [any FetchStrategy] { LaboratoryStrategies.all }

  /// The flag with which a command writes a page.
  package static var page: CommandOption { PageOutput.option }

  /// The unsafe ways to fetch, with one line of help text each.
  package static var exhibits: [(name: String, note: String)] {
    Exhibit.all.map { ($0.name, $0.strategy.capabilities.note) }
  }

  /// Runs an unsafe way to fetch and its remedy in separate processes, and prints the results.
  package static func show(exhibit name: String, _ context: CommandContext) async throws {
    let exhibit = try Exhibit.named(name)
    let answer = OriginResponse(body: .bytes(1000), latency: exhibit.latency)
    let origin = try context.startOrigin(OriginContent(fallback: answer))
    let child = try ChildProcess.ofThisExecutable(context.shutdown)
    try await ExhibitShow(exhibit: exhibit, child: child, origin: origin, output: context.output).run()
  }
}
