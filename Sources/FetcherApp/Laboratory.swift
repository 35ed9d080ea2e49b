import CommandLineTool
import Commands
import FetcherModel

/// The gate to the laboratory, which is next to the sample in this program. Only this file imports its commands.
enum Laboratory {
  /// The laboratory's commands, in help order.
  static var commands: [Command] { LaboratoryCommands.all }

  /// All strategies: the four of the model, and those that the program registers.
  static var strategies: StrategyOption { .program }

  /// Sets the strategies that every command has in addition to the model's. Call it before the first use of
  /// ``strategies``.
  static func use(_ strategies: [StrategyFactory]) { LaboratoryCommands.use(strategies) }

  /// Adds the strategies that the program registers to an environment.
  @Sendable static func register(in environment: FetchEnvironment) { LaboratoryCommands.register(in: environment) }

  /// All strategies on the real network, with their capabilities.
  static var allStrategies: [any FetchStrategy] { LaboratoryCommands.strategies }

  /// The flag `--html`.
  static var page: CommandOption { LaboratoryCommands.page }

  /// Returns a closure that plays the walk of the demo as a scenario and writes its page, or nil without `--html`. The
  /// closure returns whether the scenario holds and the page was written.
  static func pageOfWalk(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> (@Sendable () async throws -> Bool)? {
    guard let walk = try DemoScenarios.page(arguments, context) else { return nil }
    return { try await walk.write() }
  }

  /// Prints the timeline of the demo's other scenario once for each strategy, and returns whether the scenario holds.
  static func printTimelines(of strategies: [String], _ context: CommandContext) async throws -> Bool {
    try await DemoScenarios.printTimelines(of: strategies, context)
  }

  /// The unsafe ways to fetch, with one line of help text each.
  static var exhibits: [(name: String, note: String)] { LaboratoryCommands.exhibits }

  /// Runs an unsafe way to fetch in a separate process, and prints the results.
  static func show(exhibit name: String, _ context: CommandContext) async throws {
    try await LaboratoryCommands.show(exhibit: name, context)
  }
}
