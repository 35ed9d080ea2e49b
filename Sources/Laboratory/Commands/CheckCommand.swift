import CommandLineTool
import PlainText
import ScenarioEngine
import ScenarioFormat

/// `fetcher check`: validates scenario files without running them.
enum CheckCommand {
  static let json = CommandOption("--json", "the problems as JSON")
  static let schema = CommandOption("--schema", "print the JSON Schema for scenarios instead")
  static let keys = CommandOption("--keys", "print every key of the scenario format instead, in Markdown tables")
  static let quiet = CommandOption("--quiet", "print invalid files only")

  static let command = Command(
    name: "check", summary: "reports errors in scenarios, without running them", arguments: "FILE...",
    options: [json, schema, keys, quiet], foreignNames: ["validate", "lint", "verify"],
    example: "fetcher check scenarios", run: run)

  private struct Report: Encodable {
    let files: [FileReport]
  }

  private struct FileReport: Encodable {
    let file: String
    let ok: Bool
    let problems: [ReportedProblem]
  }

  private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    if arguments.has(schema) {
      context.output.line(try JSONText.of(ScenarioSchema.json(.shipped)))
      return .success
    }
    if arguments.has(keys) {
      for line in FormatReference.lines { context.output.line(line) }
      return .success
    }
    guard !arguments.arguments.isEmpty else { throw UsageError("check needs at least one FILE") }
    let files = try ScenarioPaths.readAll(arguments.arguments)
    if arguments.has(json) {
      context.output.line(try JSONText.of(Report(files: files.map(report))))
    } else {
      for file in files { show(file, isQuiet: arguments.has(quiet), context) }
      if files.count > 1 {
        context.output.line("\(files.count) files, \(files.count { $0.scenario == nil }) invalid")
      }
    }
    return files.allSatisfy { $0.scenario != nil } ? .success : .invalidScenario
  }

  private static func show(_ file: ScenarioFile, isQuiet: Bool, _ context: CommandContext) {
    file.complain(to: context.notes)
    guard !isQuiet || file.scenario == nil else { return }
    let style = context.output.style
    let verdict = file.scenario == nil ? style(.red, "invalid") : style(.green, "valid  ")
    context.output.line("\(verdict)  \(visible(file.source.path))")
  }

  private static func report(_ file: ScenarioFile) -> FileReport {
    FileReport(file: file.source.path, ok: file.scenario != nil, problems: file.problems)
  }
}
