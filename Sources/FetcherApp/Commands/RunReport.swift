import EventBus
import ScenarioEngine
import ScenarioFormat

/// The results of `fetcher run`: each as it ends, and the whole once, at the end or at Ctrl-C, after which it
/// says no more. Any thread.
final class RunReport: Sendable {
  private struct State {
    var runs: [RunEntry] = []
    var trace = ChromeTrace()
    var isPublished = false
  }

  private struct Runs: Encodable {
    let runs: [RunEntry]
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
  ///
  /// - Parameter wall: how long it took by the clock on the wall.
  func add(_ outcome: ScenarioOutcome, _ record: RunRecord, wall: Duration) {
    let isLate = state.withLock { state in
      guard !state.isPublished else { return true }
      state.runs.append(RunEntry(outcome: outcome, wall: wall, events: arguments.has("--events") ? record.events : nil))
      if arguments["--trace"] != nil { state.trace.add(outcome.name, record) }
      return false
    }
    guard !isLate, !arguments.has("--json"), !arguments.has("--matrix"), !outcome.ok || !arguments.has("--quiet") else {
      return
    }
    let output = context.output
    let style = output.style
    say("\(outcome.ok ? style(.green, "passed") : style(.red, "failed"))  \(visible(outcome.name))")
    sayWhy(outcome)
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

  /// Prints what did not hold.
  private func sayWhy(_ outcome: ScenarioOutcome) {
    for failure in outcome.failures {
      say(visible("  \(outcome.file):\(failure.line):\(failure.column): \(failure.message)"))
      for line in failure.why?.split(whereSeparator: \.isNewline) ?? [] { say(visible("    \(line)")) }
    }
  }

  /// Prints all runs as a table, and below it what did not hold.
  private func showMatrix(_ outcomes: [ScenarioOutcome]) {
    for line in OutcomeMatrix(outcomes).lines(context.output.style) { context.output.line(line) }
    for outcome in outcomes where !outcome.ok {
      say("")
      say(visible(outcome.name))
      sayWhy(outcome)
    }
    if fileCount > 1 { say("") }
  }

  /// Prints a line about the runs; as a comment among diagrams, so that the output can be taken as it is.
  private func say(_ line: String) { context.output.line((arguments.has("--mermaid") ? "%% " : "") + line) }

  /// Tells of all runs so far, and writes the files that were asked for.
  func finish() throws -> ExitCode {
    guard let (runs, trace) = end() else { return .interrupted }
    return try publish(runs, trace)
  }

  /// The same for an end before its time.
  func interrupt(planned: Int) {
    guard let (runs, trace) = end() else { return }
    if runs.count < planned { context.notes.line("ended early: \(runs.count) of \(planned) runs are done") }
    _ = try? publish(runs, trace)
  }

  /// Everything recorded, for the first caller only.
  private func end() -> ([RunEntry], ChromeTrace)? {
    state.withLock { state in
      guard !state.isPublished else { return nil }
      state.isPublished = true
      return (state.runs, state.trace)
    }
  }

  /// Writes the files first: results that cannot be written end the program, and files only cost themselves.
  private func publish(_ runs: [RunEntry], _ trace: ChromeTrace) throws -> ExitCode {
    let outcomes = runs.map(\.outcome)
    let files = ResultFiles(arguments, context)
    let isWritten = [
      try files.write("--junit") { JUnitReport(outcomes: outcomes).text },
      try files.write("--trace") { try JSONText.of(trace.json) },
    ]
    let failed = outcomes.count { !$0.ok }
    if arguments.has("--json") {
      context.output.line(try JSONText.of(Runs(runs: runs)))
      return failed > 0 ? .failed : isWritten.allSatisfy(\.self) ? .success : .cannotStart
    }
    if arguments.has("--matrix"), !outcomes.isEmpty { showMatrix(outcomes) }
    if fileCount > 1 {
      let seconds = (DispatchRuntime.shared.now - start).inSeconds.fixed(2)
      let count = "\(outcomes.count) \(outcomes.count == 1 ? "run" : "runs")"
      say(
        "\(count) of \(fileCount) scenarios: \(outcomes.count - failed) passed, \(failed) failed (\(seconds) s)")
    }
    if failed > 0 { return .failed }
    return isWritten.allSatisfy(\.self) ? .success : .cannotStart
  }
}
