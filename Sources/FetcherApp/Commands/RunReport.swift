import EventBus
import ScenarioEngine
import ScenarioFormat

/// The results of `fetcher run`: each as it ends, and the whole once, at the end or at Ctrl-C, after which it
/// says no more. Any thread.
final class RunReport: Sendable {
  private struct State {
    var outcomes: [ScenarioOutcome] = []
    var trace = ChromeTrace()
    var isPublished = false
  }

  private struct Runs: Encodable {
    let runs: [ScenarioOutcome]
  }

  private let arguments: ParsedArguments
  private let context: CommandContext
  /// How many files were given.
  private let fileCount: Int
  private let start = DispatchRuntime.shared.now
  private let state = Locked(State())

  init(_ arguments: ParsedArguments, files: Int, _ context: CommandContext) {
    self.arguments = arguments
    fileCount = files
    self.context = context
  }

  /// Records a run, and prints it unless output is deferred.
  func add(_ outcome: ScenarioOutcome, _ record: RunRecord) {
    let isLate = state.withLock { state in
      guard !state.isPublished else { return true }
      state.outcomes.append(outcome)
      if arguments["--trace"] != nil { state.trace.add(outcome.name, record) }
      return false
    }
    guard !isLate, !arguments.has("--json"), !outcome.ok || !arguments.has("--quiet") else { return }
    let output = context.output
    let style = output.style
    say("\(outcome.ok ? style(.green, "passed") : style(.red, "failed"))  \(visible(outcome.name))")
    for failure in outcome.failures {
      say(visible("  \(outcome.file):\(failure.line):\(failure.column): \(failure.message)"))
      for line in failure.why?.split(whereSeparator: \.isNewline) ?? [] { say(visible("    \(line)")) }
    }
    if arguments.has("--timeline") {
      let failures = Dictionary(
        outcome.failures.compactMap { failure in failure.step.map { ($0, [failure.message]) } }, uniquingKeysWith: +)
      let timeline = Timeline(events: record.events, failures: failures)
      for line in timeline.lines(heading: { style(.bold, $0) }, failure: { style(.red, $0) }) { output.line(line) }
    }
    if arguments.has("--mermaid") {
      for line in MermaidDiagram(events: record.events).lines { output.line(line) }
    }
  }

  /// Prints a line about the runs; as a comment among diagrams, so that the output can be taken as it is.
  private func say(_ line: String) { context.output.line((arguments.has("--mermaid") ? "%% " : "") + line) }

  /// Tells of all runs so far, and writes the files that were asked for.
  func finish() throws -> ExitCode {
    guard let (outcomes, trace) = end() else { return .interrupted }
    return try publish(outcomes, trace)
  }

  /// The same for an end before its time.
  func interrupt(planned: Int) {
    guard let (outcomes, trace) = end() else { return }
    if outcomes.count < planned { context.notes.line("ended early: \(outcomes.count) of \(planned) runs are done") }
    _ = try? publish(outcomes, trace)
  }

  /// Everything recorded, for the first caller only.
  private func end() -> ([ScenarioOutcome], ChromeTrace)? {
    state.withLock { state in
      guard !state.isPublished else { return nil }
      state.isPublished = true
      return (state.outcomes, state.trace)
    }
  }

  /// Writes the files first: results that cannot be written end the program, and files only cost themselves.
  private func publish(_ outcomes: [ScenarioOutcome], _ trace: ChromeTrace) throws -> ExitCode {
    let files = ResultFiles(arguments, context)
    let isWritten = [
      try files.write("--junit") { JUnitReport(outcomes: outcomes).text },
      try files.write("--trace") { try JSONText.of(trace.json) },
    ]
    let failed = outcomes.count { !$0.ok }
    if arguments.has("--json") {
      context.output.line(try JSONText.of(Runs(runs: outcomes)))
    } else if fileCount > 1 {
      let seconds = (DispatchRuntime.shared.now - start).inSeconds.fixed(2)
      let runs = "\(outcomes.count) \(outcomes.count == 1 ? "run" : "runs")"
      say(
        "\(runs) of \(fileCount) scenarios: \(outcomes.count - failed) passed, \(failed) failed (\(seconds) s)")
    }
    if failed > 0 { return .failed }
    return isWritten.allSatisfy(\.self) ? .success : .cannotStart
  }
}
