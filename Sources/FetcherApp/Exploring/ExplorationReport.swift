import EventBus
import ScenarioEngine
import ScenarioFormat

/// The results of `fetcher explore`: each as it ends, and the whole once, at the end or at Ctrl-C. Any thread.
final class ExplorationReport: Sendable {
  private struct State {
    var outcomes: [ExplorationOutcome] = []
    /// How many of them came to their end.
    var whole = 0
    var trace = ChromeTrace()
    var isPrinted = false
  }

  private let arguments: ParsedArguments
  private let context: CommandContext
  private let state = Locked(State())

  init(_ arguments: ParsedArguments, _ context: CommandContext) {
    self.arguments = arguments
    self.context = context
  }

  /// Whether failing runs are to be shown, and have to be given.
  var showsRuns: Bool { arguments.has("--mermaid") || arguments["--trace"] != nil }

  /// Records a search, with its failing run, and prints it unless the output is JSON.
  ///
  /// - Parameter isWhole: whether the search came to its end, and was not interrupted.
  func add(_ outcome: ExplorationOutcome, _ record: RunRecord?, isWhole: Bool = true) {
    let isLate = state.withLock { state in
      guard !state.isPrinted, isWhole || outcome.saysSomething else { return true }
      if isWhole { state.whole += 1 }
      state.outcomes.append(outcome)
      if let record { state.trace.add("\(outcome.scenario)  \(outcome.strategy)  \(outcome.variant)", record) }
      return false
    }
    guard !isLate, !arguments.has("--json"), !outcome.ok || !arguments.has("--quiet") else { return }
    let style = context.output.style
    let survived = isWhole ? "survived" : "so far  "
    let verdict =
      outcome.ok ? style(.green, outcome.failure == nil ? survived : "caught  ") : style(.red, "broken  ")
    say("\(verdict)  \(visible(outcome.scenario))  \(outcome.strategy)  \(visible(outcome.variant))")
    for line in outcome.text.split(separator: "\n", omittingEmptySubsequences: false) {
      say(line.isEmpty ? "" : "  " + line)
    }
    guard arguments.has("--mermaid"), let record else { return }
    for line in MermaidDiagram(events: record.events).lines { context.output.line(line) }
  }

  /// Prints a line about a search; as a comment beside a diagram, so that the output can be taken as it is.
  private func say(_ line: String) { context.output.line((arguments.has("--mermaid") ? "%% " : "") + line) }

  /// Prints the summary.
  func finish() throws -> ExitCode {
    guard let (outcomes, trace) = end() else { return .interrupted }
    return try close(outcomes, trace)
  }

  /// The same for an end before its time.
  func interrupt(planned: Int) {
    let whole = state.withLock { $0.whole }
    guard let (outcomes, trace) = end() else { return }
    if whole < planned { context.notes.line("ended early: \(whole) of \(planned) searches are done") }
    _ = try? close(outcomes, trace)
  }

  private func end() -> ([ExplorationOutcome], ChromeTrace)? {
    state.withLock { state in
      guard !state.isPrinted else { return nil }
      state.isPrinted = true
      return (state.outcomes, state.trace)
    }
  }

  private func close(_ outcomes: [ExplorationOutcome], _ trace: ChromeTrace) throws -> ExitCode {
    let files = ResultFiles(arguments, context)
    let isWritten = [
      try files.write("--junit") { JUnitReport(suite: "fetcher explore", cases: outcomes.map(\.testCase)).text },
      try files.write("--trace") { try JSONText.of(trace.json) },
    ]
    let broken = outcomes.count { !$0.ok }
    if arguments.has("--json") {
      context.output.line(try JSONText.of(ExplorationResults(runs: outcomes)))
    } else if outcomes.count > 1 {
      let schedules = outcomes.reduce(0) { $0 + $1.statistics.schedules }
      say("\(outcomes.count) searches, \(schedules) schedules: \(broken) broken")
    }
    if broken > 0 { return .failed }
    return isWritten.allSatisfy(\.self) ? .success : .cannotStart
  }
}

extension ExplorationOutcome {
  /// Whether the part of an interrupted search is worth a word: what is sought might still have come.
  fileprivate var saysSomething: Bool { failure != nil || sought.isEmpty && statistics.schedules > 0 }

  fileprivate var testCase: JUnitReport.TestCase {
    let title = failure?.message ?? "not found: \(sought.joined(separator: ", "))"
    return JUnitReport.TestCase(
      group: scenario, name: "\(strategy), \(variant)", seconds: seconds,
      failures: ok ? [] : [JUnitReport.TestCase.Failure(title: title, text: "\(file)\n\(text)")])
  }
}
