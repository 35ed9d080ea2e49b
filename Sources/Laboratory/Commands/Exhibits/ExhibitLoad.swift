import CommandLineTool
import Dispatch
import EventBus
import FetcherModel
import Foundation
import ScenarioEngine

/// Runs an exhibit's requests with a strategy, and reports when each request ends.
struct ExhibitLoad: Sendable {
  let strategy: any FetchStrategy
  let base: URL
  let runtime: any Runtime

  /// Runs the load and returns when all requests have ended. With the exhibit's unsafe strategy, this method may never
  /// return.
  ///
  /// - Parameter report: a closure called at the end of each request, with the time since the start of the load. The
  ///   closure can be called on any thread.
  func run(_ exhibit: Exhibit, report: @escaping @Sendable (Duration) -> Void) async {
    let start = runtime.now
    let report = { @Sendable in report(runtime.now - start) }
    switch exhibit.load {
    case .together: await startTogether(exhibit.requests, report)
    case .cancelled:
      for number in 0..<exhibit.requests {
        await cancel(number, after: exhibit.latency)
        report()
      }
    }
  }

  /// Queues all requests before the first one gets a thread. Otherwise the network code, which uses the same thread
  /// pool, could run between the requests. On a busy machine, the pool would then not be exhausted.
  private func startTogether(_ count: Int, _ report: @escaping @Sendable () -> Void) async {
    let pool = DispatchQueue.global()
    let isInLine = DispatchSemaphore(value: 0)
    // The number of blocking closures must exceed the number of threads in the pool.
    let guards = 64
    for _ in 0..<guards { pool.async { isInLine.wait() } }
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      _ = strategy.fetch(request(number)) { _ in
        report()
        group.leave()
      }
    }
    for _ in 0..<guards { isInLine.signal() }
    await withCheckedContinuation { continuation in group.notify(queue: .main) { continuation.resume() } }
  }

  private func cancel(_ number: Int, after latency: Duration) async {
    await withCheckedContinuation { continuation in
      let work = strategy.fetch(request(number)) { _ in continuation.resume() }
      // Spread the cancellations around the response time, so that they occur at every stage of a request.
      _ = runtime.main.schedule(after: latency + .microseconds(number % 30 * 100)) { work.cancel() }
    }
  }

  private func request(_ number: Int) -> FetchRequest { FetchRequest(url: base.appending(path: "image-\(number)")) }
}

/// `fetcher exhibit`: the child process of `strategies --exhibit`, which may hang. At the end of each request, it
/// prints the elapsed milliseconds.
enum ExhibitCommand {
  static let name = CommandOption("--name", "NAME", "the exhibit")
  static let contender = CommandOption("--contender", "NAME", "the exhibit or its remedy")
  static let base = CommandOption("--base", "URL", "the origin")

  static let command = Command(
    name: "exhibit", summary: "runs an exhibit's load with one strategy",
    options: [name, contender, base],
    example: "fetcher exhibit --name async-builtin --contender async --base http://127.0.0.1:8080/", isHidden: true,
    run: run)

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let exhibit = try Exhibit.named(arguments[name] ?? "")
    guard let strategy = exhibit.contender(arguments[contender] ?? exhibit.name),
      let base = arguments[base].flatMap(URL.init(string:))
    else { throw UsageError("exhibit needs --base URL, and --contender \(exhibit.name) or \(exhibit.remedy)") }
    let parent = ParentWatch(context.shutdown)
    defer { parent.end() }
    let load = ExhibitLoad(strategy: strategy, base: base, runtime: DispatchRuntime.shared)
    await load.run(exhibit) { context.output.line("\($0.inMilliseconds)") }
    return .success
  }
}
