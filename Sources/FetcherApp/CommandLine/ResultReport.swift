import EventBus
import Foundation
import ScenarioEngine
import ScenarioFormat

/// The flags of commands that make many results. Each command has its own help for them.
enum ResultOptions {
  static let json = CommandOption("--json", "the results as JSON")
  static let junit = CommandOption("--junit", "FILE", "the results for a build server as well")
  static let mermaid = CommandOption("--mermaid", "a run as a Mermaid sequence diagram")
  static let trace = CommandOption("--trace", "FILE", "the runs as a trace for Perfetto or Chrome")
  static let quiet = CommandOption("--quiet", "only what failed")
}

/// The results of a command that makes many: each is printed as it ends, and the whole once, at the end or at Ctrl-C, after
/// which it says no more. Any thread.
protocol ResultReport: Sendable {
  associatedtype Result: Sendable & Encodable

  var arguments: ParsedArguments { get }
  var context: CommandContext { get }
  var collected: Locked<CollectedResults<Result>> { get }
  /// What several results are called.
  var plural: String { get }

  func isOK(_ result: Result) -> Bool
  func junit(_ results: [Result]) -> JUnitReport
  /// Prints what is to be said at the end, where that is not JSON.
  func showSummary(_ results: [Result])
}

/// What a report has so far.
struct CollectedResults<Result: Sendable>: Sendable {
  fileprivate var results: [Result] = []
  /// How many of them came to their end.
  fileprivate var whole = 0
  fileprivate var trace = ChromeTrace()
  fileprivate var isPublished = false
}

/// The results as JSON has them.
private struct Runs<Result: Encodable>: Encodable {
  let runs: [Result]
}

extension ResultReport {
  /// Takes a result in, and returns whether it is to be printed now.
  ///
  /// - Parameters:
  ///   - record: a run for the trace.
  ///   - isWhole: whether it is the result of all that was to be done for it.
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

  /// Prints a line; as a comment among diagrams, so that the output can be taken as it is.
  func say(_ line: String) { context.output.line((arguments.has(ResultOptions.mermaid) ? "%% " : "") + line) }

  /// Prints a run as a diagram, if that is asked for.
  func draw(_ record: RunRecord) {
    guard arguments.has(ResultOptions.mermaid) else { return }
    for line in MermaidDiagram(events: record.shown.map(\.event)).lines { context.output.line(line) }
  }

  /// Prints the whole, and writes the files that were asked for.
  func finish() throws -> ExitCode {
    guard let collected = end() else { return .interrupted }
    return try publish(collected)
  }

  /// The same for an end before its time.
  func interrupt(planned: Int) {
    guard let collected = end() else { return }
    if collected.whole < planned {
      context.notes.line("ended early: \(collected.whole) of \(planned) \(plural) are done")
    }
    _ = try? publish(collected)
  }

  /// Everything, for the first caller only.
  private func end() -> CollectedResults<Result>? {
    collected.withLock { collected in
      guard !collected.isPublished else { return nil }
      collected.isPublished = true
      return collected
    }
  }

  /// Writes the files first: results that cannot be written end the process, and files only cost themselves.
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

/// The files that a command writes its results to, beside what it prints.
struct ResultFiles: Sendable {
  private let arguments: ParsedArguments
  private let context: CommandContext

  init(_ arguments: ParsedArguments, _ context: CommandContext) {
    self.arguments = arguments
    self.context = context
  }

  /// Writes a file, if the flag asks for it. A failure costs this file alone, not the results.
  ///
  /// - Returns: false if it could not be written.
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
