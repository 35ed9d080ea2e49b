import FetcherModel

/// `fetcher strategies`: what each way of fetching can and cannot do.
enum StrategiesCommand {
  static let command = Command(
    name: "strategies", summary: "shows what each strategy can and cannot do",
    options: [CommandOption("--json", nil, "the table as JSON")],
    example: "fetcher strategies --json", endsWithItsReader: true, run: run)

  private struct Row: Encodable {
    let name: String
    let canCancel: Bool
    let seesStatus: Bool
    let reportsProgress: Bool
    let seesRedirects: Bool
    let note: String
  }

  private struct Rows: Encodable {
    let strategies: [Row]
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let rows = rows()
    if arguments.has("--json") {
      context.output.line(try JSONText.of(Rows(strategies: rows)))
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
    return .success
  }

  private static func rows() -> [Row] {
    StrategyRegistry.standard().all.map { strategy in
      let can = strategy.capabilities
      return Row(
        name: strategy.name, canCancel: can.canCancel, seesStatus: can.seesStatus,
        reportsProgress: can.reportsProgress, seesRedirects: can.seesRedirects, note: can.note)
    }
  }
}
