import FetcherModel
import Foundation

/// `fetcher measure`: the child of `compare`, which measures one strategy in a process of its own.
enum MeasureCommand {
  static let command = Command(
    name: "measure", summary: "measures one strategy against a running origin",
    options: [
      CommandOption("--strategy", "NAME", "the strategy"),
      CommandOption("--images", "N", "how many images"),
      CommandOption("--in-flight", "N", "how many at a time"),
      CommandOption("--base", "URL", "the origin"),
    ],
    example: "fetcher measure --strategy async --base http://127.0.0.1:8080/", isHidden: true, run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let strategy = try StrategyNames.one(arguments)
    let images = try arguments.number("--images", in: 1...1_000_000, or: 200)
    let inFlight = try arguments.number("--in-flight", in: 1...1000, or: 6)
    guard let base = arguments["--base"].flatMap(URL.init(string:)) else {
      throw UsageError("measure needs --base URL")
    }
    let parent = ParentWatch(context.shutdown)
    defer { parent.end() }
    let environment = FetchEnvironment(strategy: strategy)
    let load = ClosedLoad(base: base, environment: environment)
    let measured = await load.run(Measurement(strategy: strategy, images: images, inFlight: inFlight))
    environment.finishAndSweep()
    context.output.line(try JSONText.of(measured))
    return .success
  }
}
