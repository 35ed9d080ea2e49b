import EventBus
import ScenarioEngine
import ScenarioFormat

/// The results of `fetcher explore`.
struct ExplorationReport: ResultReport {
  let arguments: ParsedArguments
  let context: CommandContext
  let collected = Locked(CollectedResults<ExplorationOutcome>())
  let plural = "searches"

  /// Whether failing runs are to be shown, and have to be given.
  var showsRuns: Bool { arguments.has("--mermaid") || arguments["--trace"] != nil }

  func isOK(_ outcome: ExplorationOutcome) -> Bool { outcome.ok }

  func junit(_ outcomes: [ExplorationOutcome]) -> JUnitReport {
    JUnitReport(suite: "fetcher explore", cases: outcomes.map(\.testCase))
  }

  /// Records a search, with its failing run, and prints it unless the output is JSON.
  func add(_ outcome: ExplorationOutcome, _ record: RunRecord?) {
    guard take(outcome, "\(outcome.scenario)  \(outcome.strategy)  \(outcome.variant)", record) else { return }
    let style = context.output.style
    let verdict =
      outcome.ok ? style(.green, outcome.failure == nil ? "survived" : "caught  ") : style(.red, "broken  ")
    say("\(verdict)  \(visible(outcome.scenario))  \(outcome.strategy)  \(visible(outcome.variant))")
    for line in outcome.text.split(separator: "\n", omittingEmptySubsequences: false) {
      say(line.isEmpty ? "" : "  " + line)
    }
    if let record { draw(record) }
  }

  func showSummary(_ outcomes: [ExplorationOutcome]) {
    guard outcomes.count > 1 else { return }
    let schedules = outcomes.reduce(0) { $0 + $1.statistics.schedules }
    say("\(outcomes.count) searches, \(schedules) schedules: \(outcomes.count { !$0.ok }) broken")
  }
}

extension ExplorationOutcome {
  fileprivate var testCase: JUnitReport.TestCase {
    let title = failure?.message ?? "not found: \(sought.joined(separator: ", "))"
    return JUnitReport.TestCase(
      group: scenario, name: "\(strategy), \(variant)", seconds: seconds,
      failures: ok ? [] : [JUnitReport.TestCase.Failure(title: title, text: "\(file)\n\(text)")])
  }
}
