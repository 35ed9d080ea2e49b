import CommandLineTool
import FetcherModel
import PlainText

/// `fetcher strategies`: lists the capabilities and limitations of each strategy.
enum StrategiesCommand {
  static let json = CommandOption("--json", "the table as JSON")
  static let exhibit = CommandOption(
    "--exhibit", "NAME",
    "run an unsafe way to fetch in a separate process: \(Laboratory.exhibits.map(\.name).joined(separator: ", "))"
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
    let loadsHTTPS: Bool
    let sendsHeaders: Bool
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
      try await Laboratory.show(exhibit: name, context)
      return .success
    }
    let rows = rows()
    let exhibits = Laboratory.exhibits.map { ExhibitRow(name: $0.name, note: $0.note) }
    if arguments.has(json) {
      context.output.line(try JSONText.of(Rows(strategies: rows, exhibits: exhibits)))
      return .success
    }
    var table = Table([
      .text("strategy"), .text("cancels"), .text("sees status"), .text("progress"), .text("sees redirects"),
      .text("https"), .text("header fields"), .text("note"),
    ])
    let word = { (flag: Bool) in flag ? "yes" : "no" }
    for row in rows {
      table.add([
        row.name, word(row.canCancel), word(row.seesStatus), word(row.reportsProgress), word(row.seesRedirects),
        word(row.loadsHTTPS), word(row.sendsHeaders), row.note,
      ])
    }
    for line in table.lines(context.output.style) { context.output.line(line) }
    context.output.line("\nUnsafe ways to fetch, which --exhibit NAME runs in a separate process:")
    var shown = Table([.text("exhibit"), .text("note")])
    for exhibit in exhibits { shown.add([exhibit.name, exhibit.note]) }
    for line in shown.lines(context.output.style) { context.output.line(line) }
    return .success
  }

  private static func rows() -> [Row] {
    Laboratory.allStrategies.map { strategy in
      let can = strategy.capabilities
      return Row(
        name: strategy.name.description, canCancel: can.canCancel, seesStatus: can.seesStatus,
        reportsProgress: can.reportsProgress, seesRedirects: can.seesRedirects, loadsHTTPS: can.loadsHTTPS,
        sendsHeaders: can.sendsHeaders, note: can.note)
    }
  }
}
