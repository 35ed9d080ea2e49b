import EventBus
import FetcherModel
import Foundation
import ScenarioEngine

/// `fetcher exhibit`: the child of `strategies --exhibit`, which may hang. Prints the milliseconds at each request's end.
enum ExhibitCommand {
  static let command = Command(
    name: "exhibit", summary: "puts the load of an exhibit on one strategy",
    options: [
      CommandOption("--name", "NAME", "the exhibit"),
      CommandOption("--contender", "NAME", "the exhibit itself or its remedy"),
      CommandOption("--base", "URL", "the origin"),
    ],
    example: "fetcher exhibit --name async-builtin --contender async --base http://127.0.0.1:8080/", isHidden: true,
    run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let exhibit = try Exhibit.named(arguments["--name"] ?? "")
    guard let strategy = exhibit.contender(arguments["--contender"] ?? exhibit.name),
      let base = arguments["--base"].flatMap(URL.init(string:))
    else { throw UsageError("exhibit needs --base URL, and --contender \(exhibit.name) or \(exhibit.remedy)") }
    let parent = ParentWatch(context.shutdown)
    defer { parent.end() }
    let load = ExhibitLoad(strategy: strategy, base: base, runtime: DispatchRuntime.shared)
    await load.run(exhibit) { context.output.line("\($0.inMilliseconds)") }
    return .success
  }
}
