import EventBus
import ScenarioEngine
import ScenarioFormat

/// The results of `fetcher explore`: each as it ends, and the whole once, at the end or at Ctrl-C. Any thread.
final class ExplorationReport: Sendable {
  private struct State {
    var outcomes: [ExplorationOutcome] = []
    var isPrinted = false
  }

  private struct Results: Encodable {
    let runs: [ExplorationOutcome]
  }

  private let arguments: ParsedArguments
  private let context: CommandContext
  private let state = Locked(State())

  init(_ arguments: ParsedArguments, _ context: CommandContext) {
    self.arguments = arguments
    self.context = context
  }

  /// Records a search, and prints it unless the output is JSON.
  func add(_ outcome: ExplorationOutcome) {
    let isLate = state.withLock { state in
      if !state.isPrinted { state.outcomes.append(outcome) }
      return state.isPrinted
    }
    guard !isLate, !arguments.has("--json"), !outcome.ok || !arguments.has("--quiet") else { return }
    let style = context.output.style
    let verdict =
      outcome.ok ? style(.green, outcome.failure == nil ? "survived" : "caught  ") : style(.red, "broken  ")
    context.output.line("\(verdict)  \(visible(outcome.scenario))  \(outcome.strategy)  \(visible(outcome.variant))")
    for line in outcome.text.split(separator: "\n", omittingEmptySubsequences: false) {
      context.output.line(line.isEmpty ? "" : "  " + line)
    }
  }

  /// Prints the summary.
  func finish() throws -> ExitCode {
    guard let outcomes = end() else { return .interrupted }
    return try close(outcomes)
  }

  /// The same for an end before its time.
  func interrupt(planned: Int) {
    guard let outcomes = end() else { return }
    if outcomes.count < planned {
      context.notes.line("ended early: \(outcomes.count) of \(planned) searches are done")
    }
    _ = try? close(outcomes)
  }

  private func end() -> [ExplorationOutcome]? {
    state.withLock { state in
      guard !state.isPrinted else { return nil }
      state.isPrinted = true
      return state.outcomes
    }
  }

  private func close(_ outcomes: [ExplorationOutcome]) throws -> ExitCode {
    let broken = outcomes.count { !$0.ok }
    if arguments.has("--json") {
      context.output.line(try JSONText.of(Results(runs: outcomes)))
    } else if outcomes.count > 1 {
      let schedules = outcomes.reduce(0) { $0 + $1.statistics.schedules }
      context.output.line("\(outcomes.count) searches, \(schedules) schedules: \(broken) broken")
    }
    return broken == 0 ? .success : .failed
  }
}
