import EventBus
import ScenarioEngine
import ScenarioFormat

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
      if let record, arguments["--trace"] != nil { collected.trace.add(name, record) }
      return false
    }
    return !isLate && !arguments.has("--json") && (!isOK(result) || !arguments.has("--quiet"))
  }

  /// Prints a line; as a comment among diagrams, so that the output can be taken as it is.
  func say(_ line: String) { context.output.line((arguments.has("--mermaid") ? "%% " : "") + line) }

  /// Prints a run as a diagram, if that is asked for.
  func draw(_ record: RunRecord) {
    guard arguments.has("--mermaid") else { return }
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
      try files.write("--junit") { junit(results).text },
      try files.write("--trace") { try JSONText.of(collected.trace.json) },
    ]
    if arguments.has("--json") {
      context.output.line(try JSONText.of(Runs(runs: results)))
    } else {
      showSummary(results)
    }
    guard results.allSatisfy(isOK) else { return .failed }
    return isWritten.allSatisfy(\.self) ? .success : .cannotStart
  }
}
