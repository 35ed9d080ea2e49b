import CommandLineTool
import EventBus
import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat

/// The flags shared by commands that produce several results. Each command supplies its own help text for these flags.
enum ResultOptions {
  static let json = CommandOption("--json", "the results as JSON")
  static let junit = CommandOption("--junit", "FILE", "also write the results as JUnit XML")
  static let mermaid = CommandOption("--mermaid", "a run as a Mermaid sequence diagram")
  static let trace = CommandOption("--trace", "FILE", "also write the runs as a trace for Perfetto or Chrome")
  static let quiet = CommandOption("--quiet", "print failures only")
}

/// Reports the results of a command that produces several results. It prints each result as soon as possible. At the
/// end, or on Ctrl-C, it prints the complete report once, and prints nothing afterwards. It is safe to use on any
/// thread.
protocol ResultReport: Sendable {
  associatedtype Result: Sendable & Encodable

  var arguments: ParsedArguments { get }
  var context: CommandContext { get }
  var collected: Locked<CollectedResults<Result>> { get }
  /// The plural noun for the results, used in messages.
  var plural: String { get }

  func isOK(_ result: Result) -> Bool
  func junit(_ results: [Result]) -> JUnitReport
  /// Prints the final summary, unless the output is JSON.
  func showSummary(_ results: [Result])
}

/// The results that a report has collected so far.
struct CollectedResults<Result: Sendable>: Sendable {
  fileprivate var results: [Result] = []
  /// The number of complete results.
  fileprivate var whole = 0
  fileprivate var trace = ChromeTrace()
  fileprivate var isPublished = false
}

/// The JSON form of the results.
private struct Runs<Result: Encodable>: Encodable {
  let runs: [Result]
}

extension ResultReport {
  /// Adds a result and returns whether to print it now.
  ///
  /// - Parameters:
  ///  - record: a run to add to the trace.
  ///  - isWhole: whether the result is complete.
  func take(_ result: Result, _ name: String, _ record: RunRecord?, isWhole: Bool = true) -> Bool {
    let isLate = collected.withLock { collected in
      guard !collected.isPublished else { return true }
      collected.results.append(result)
      if isWhole { collected.whole += 1 }
      if let record, arguments.has(ResultOptions.trace) { collected.trace.add(name, record) }
      return false
    }
    return !isLate && !arguments.has(ResultOptions.json) && (!isOK(result) || !arguments.has(ResultOptions.quiet))
  }

  /// Prints a line. If the command prints diagrams, the line becomes a comment, so that the output remains valid.
  func say(_ line: String) { context.output.line((arguments.has(ResultOptions.mermaid) ? "%% " : "") + line) }

  /// Prints a run as a diagram if a flag requests it.
  func draw(_ record: RunRecord) {
    guard arguments.has(ResultOptions.mermaid) else { return }
    for line in MermaidDiagram(events: record.shown.map(\.event)).lines { context.output.line(line) }
  }

  /// Prints the complete report and writes the requested files.
  func finish() throws -> ExitCode {
    guard let collected = end() else { return .interrupted }
    return try publish(collected)
  }

  /// Prints the report of the results so far after an interruption.
  func interrupt(planned: Int) {
    guard let collected = end() else { return }
    if collected.whole < planned {
      context.notes.line("ended early: \(collected.whole) of \(planned) \(plural) are done")
    }
    _ = try? publish(collected)
  }

  /// Returns all results to the first caller, and nil to later callers.
  private func end() -> CollectedResults<Result>? {
    collected.withLock { collected in
      guard !collected.isPublished else { return nil }
      collected.isPublished = true
      return collected
    }
  }

  /// Writes the files, then prints the results. The files come first because the process exits if the results cannot
  /// be printed, whereas a failed write affects only that file.
  private func publish(_ collected: CollectedResults<Result>) throws -> ExitCode {
    let results = collected.results
    let files = ResultFiles(arguments, context)
    let isWritten = [
      try files.write(ResultOptions.junit) { junit(results).text },
      try files.write(ResultOptions.trace) { try JSONText.of(collected.trace.json) },
    ]
    if arguments.has(ResultOptions.json) {
      context.output.line(try JSONText.of(Runs(runs: results)))
    } else {
      showSummary(results)
    }
    guard results.allSatisfy(isOK) else { return .failed }
    return isWritten.allSatisfy(\.self) ? .success : .cannotStart
  }
}

/// The files that a command writes in addition to printing its output.
struct ResultFiles: Sendable {
  private let arguments: ParsedArguments
  private let context: CommandContext

  init(_ arguments: ParsedArguments, _ context: CommandContext) {
    self.arguments = arguments
    self.context = context
  }

  /// Verifies that a page can be written, before the work that produces it.
  ///
  /// - Throws: a failure with code 4 if the page cannot be written.
  static func validate(page path: String) throws(CommandFailure) {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    if ScenarioPaths.isFolder(path) { throw .cannotStart("--html: \(path) is a folder; choose a file") }
    guard FileManager.default.fileExists(atPath: folder) else {
      throw .cannotStart("--html: cannot write \(path): create the folder \(folder) first")
    }
  }

  /// Writes a file if the flag requests it. A failed write affects only this file, not the results.
  ///
  /// - Returns: false if the file could not be written.
  func write(_ option: CommandOption, _ text: () throws -> String) throws -> Bool {
    guard let path = arguments[option] else { return true }
    let text = try text()
    do {
      try FileWriter.shared.replace(Data(text.utf8), at: path)
      return true
    } catch {
      let reason = FileFailure.reason(error, writing: path)
      context.notes.complain("\(option.name): cannot write \(path): \(reason)")
      return false
    }
  }
}
