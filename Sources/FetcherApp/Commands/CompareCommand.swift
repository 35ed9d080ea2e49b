import EventBus
import Foundation
import OriginServer

/// `fetcher compare`: the strategies side by side, each in a process of its own.
enum CompareCommand {
  static let command = Command(
    name: "compare", summary: "measures the strategies side by side",
    options: [
      CommandOption("--images", "N", "how many images each strategy fetches; by default 200"),
      CommandOption("--in-flight", "N", "how many at a time; by default 6"),
      CommandOption("--strategies", "A,B", "only these strategies", alias: "--strategy"),
      CommandOption("--json", nil, "the numbers as JSON"),
    ],
    example: "fetcher compare --images 500 --in-flight 6 --strategies dataTask,async", run: run)

  private struct Row: Encodable {
    let strategy: String
    let seconds: Double
    let requestsPerSecond: Double
    let failed: Int
    let peakThreads: Int?
    let peakMemory: Int?
    let connections: Int?
  }

  private struct Report: Encodable {
    let samples: [Measurement]
    let rows: [Row]
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let images = try arguments.number("--images", in: 1...1_000_000, or: 200)
    let inFlight = try arguments.number("--in-flight", in: 1...1000, or: 6)
    let names = try arguments.list("--strategies", of: StrategyNames.all, or: StrategyNames.all)
    let picture = OriginResponse(body: .data(PatternPicture(seed: 1, width: 64, height: 64).png))
    let origin = try OriginCommand.start(port: 0, OriginContent(fallback: picture), context)
    let child = try ChildProcess.ofThisProgram(context.shutdown)
    var samples: [Measurement] = []
    for name in names {
      context.notes.line(context.notes.style(.dim, "measuring \(name)"))
      origin.resetCounters()
      let data = try await child.output([
        "measure", "--strategy", name, "--images", "\(images)", "--in-flight", "\(inFlight)", "--base",
        origin.baseURL.absoluteString,
      ])
      var sample = try JSONDecoder().decode(Measurement.self, from: data)
      let counters = origin.counters
      sample.connections = counters.connections
      sample.requests = counters.requests
      samples.append(sample)
    }
    try show(samples, asJSON: arguments.has("--json"), context)
    return samples.allSatisfy { $0.failed == 0 } ? .success : .failed
  }

  private static func show(_ samples: [Measurement], asJSON: Bool, _ context: CommandContext) throws {
    if asJSON {
      let rows = samples.map {
        Row(
          strategy: $0.strategy, seconds: $0.seconds, requestsPerSecond: $0.rate, failed: $0.failed,
          peakThreads: $0.peakThreads, peakMemory: $0.peakMemory, connections: $0.connections)
      }
      context.output.line(try JSONText.of(Report(samples: samples, rows: rows)))
      return
    }
    var table = Table([
      .text("strategy"), .number("seconds"), .number("requests/s"), .number("failed"), .number("threads peak"),
      .number("memory peak MB"), .number("connections"),
    ])
    for sample in samples {
      table.add([
        sample.strategy, sample.seconds.fixed(3), sample.rate.fixed(0), "\(sample.failed)",
        sample.peakThreads.map(String.init) ?? "n/a",
        sample.peakMemory.map { (Double($0) / 1_000_000).fixed(1) } ?? "n/a",
        sample.connections.map(String.init) ?? "n/a",
      ])
    }
    for line in table.lines(context.output.style) { context.output.line(line) }
  }
}
