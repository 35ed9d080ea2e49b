import FetcherModel
import OriginServer
import ScenarioEngine

/// `fetcher system`: the five systems, each working end to end on an origin of its own.
enum SystemCommand {
  static let command = Command(
    name: "system", summary: "shows one of five programs working on the model; lists them without a name",
    arguments: "[NAME]",
    options: [
      CommandOption("--strategy", "NAME", "how to fetch: \(StrategyNames.all.joined(separator: ", "))"),
      CommandOption("--fault", "NAME", "lets the origin go wrong first: \(SystemFault.names.joined(separator: ", "))"),
    ],
    example: "fetcher system photorama --strategy async --fault truncate", endsWithItsReader: true, run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let strategy = try StrategyNames.one(arguments)
    let fault = try arguments["--fault"].map { (name) throws(UsageError) in try SystemFault.named(name) }
    guard let name = arguments.arguments.first else {
      if let flag = ["--fault", "--strategy"].first(where: { arguments[$0] != nil }) {
        throw UsageError("system needs a NAME for \(flag): \(SystemExample.all.map(\.name).joined(separator: ", "))")
      }
      list(context)
      return .success
    }
    if arguments.arguments.count > 1 {
      throw UsageError("system takes one name, but there is also \"\(arguments.arguments[1])\"")
    }
    let system = try SystemExample.named(name)
    let pictures = try context.resources.folder("pictures")
    let origin = try OriginCommand.start(port: 0, OriginContent(), context)
    // A stall ends only with the deadline, which holds for the good answers as well: a busy machine may take seconds.
    let limits = fault == .stall ? FetchLimits(deadline: .seconds(5)) : FetchLimits()
    let environment = try FetchEnvironment(strategy: strategy, limits: limits)
    let heading = "\(system.title): \(system.summary) (\(strategy))"
    context.output.line(context.output.style(.bold, heading))
    try await system.run(
      SystemStage(origin: origin, environment: environment, pictures: pictures, fault: fault, output: context.output))
    environment.finishAndSweep()
    return .success
  }

  private static func list(_ context: CommandContext) {
    var table = Table([.text("system"), .text("what it shows")])
    for system in SystemExample.all { table.add([system.name, "\(system.title): \(system.summary)"]) }
    for line in table.lines(context.output.style) { context.output.line(line) }
  }
}
