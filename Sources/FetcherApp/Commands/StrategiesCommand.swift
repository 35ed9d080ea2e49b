import Bytes
import FetcherModel
import OriginServer
import ScenarioEngine
import ScenarioFormat

/// `fetcher strategies`: lists the capabilities and limitations of each strategy.
enum StrategiesCommand {
  static let json = CommandOption("--json", "the table as JSON")
  static let exhibit = CommandOption(
    "--exhibit", "NAME",
    "run an unsafe way to fetch in a separate process: \(Exhibit.all.map(\.name).joined(separator: ", "))"
  )

  static let command = Command(
    name: "strategies", summary: "lists the capabilities of each strategy",
    options: [json, exhibit],
    example: "fetcher strategies --exhibit async-builtin", endsWithItsReader: true, run: run)

  private struct Row: Encodable {
    let name: String
    let canCancel: Bool
    let seesStatus: Bool
    let reportsProgress: Bool
    let seesRedirects: Bool
    let note: String
  }

  private struct ExhibitRow: Encodable {
    let name: String
    let note: String
  }

  private struct Rows: Encodable {
    let strategies: [Row]
    let exhibits: [ExhibitRow]
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    if let name = arguments[exhibit] {
      try await show(Exhibit.named(name), context)
      return .success
    }
    let rows = rows()
    let exhibits = Exhibit.all.map { ExhibitRow(name: $0.name, note: $0.strategy.capabilities.note) }
    if arguments.has(json) {
      context.output.line(try JSONText.of(Rows(strategies: rows, exhibits: exhibits)))
      return .success
    }
    var table = Table([
      .text("strategy"), .text("cancels"), .text("sees status"), .text("progress"), .text("sees redirects"),
      .text("note"),
    ])
    let word = { (flag: Bool) in flag ? "yes" : "no" }
    for row in rows {
      table.add([
        row.name, word(row.canCancel), word(row.seesStatus), word(row.reportsProgress), word(row.seesRedirects),
        row.note,
      ])
    }
    for line in table.lines(context.output.style) { context.output.line(line) }
    context.output.line("\nUnsafe ways to fetch, which --exhibit NAME runs in a separate process:")
    var shown = Table([.text("exhibit"), .text("note")])
    for exhibit in exhibits { shown.add([exhibit.name, exhibit.note]) }
    for line in shown.lines(context.output.style) { context.output.line(line) }
    return .success
  }

  private static func show(_ exhibit: Exhibit, _ context: CommandContext) async throws {
    let answer = OriginResponse(body: .bytes(1000), latency: exhibit.latency)
    let origin = try context.startOrigin(OriginContent(fallback: answer))
    let child = try ChildProcess.ofThisExecutable(context.shutdown)
    try await ExhibitShow(exhibit: exhibit, child: child, origin: origin, output: context.output).run()
  }

  private static func rows() -> [Row] {
    StrategyRegistry.standard().all.map { strategy in
      let can = strategy.capabilities
      return Row(
        name: strategy.name.description, canCancel: can.canCancel, seesStatus: can.seesStatus,
        reportsProgress: can.reportsProgress, seesRedirects: can.seesRedirects, note: can.note)
    }
  }
}
