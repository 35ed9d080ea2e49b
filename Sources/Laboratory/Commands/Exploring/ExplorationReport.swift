import CommandLineTool
import EventBus
import PlainText
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer

/// Reports the results of `fetcher explore`.
struct ExplorationReport: ResultReport {
  let arguments: ParsedArguments
  let context: CommandContext
  let collected = Locked(CollectedResults<ExplorationOutcome>())
  let plural = "searches"

  /// Whether a flag requests a diagram or a trace of the failing runs.
  var showsRuns: Bool { arguments.has(ResultOptions.mermaid) || arguments.has(ResultOptions.trace) }

  func isOK(_ outcome: ExplorationOutcome) -> Bool { outcome.ok }

  func junit(_ outcomes: [ExplorationOutcome]) -> JUnitReport {
    JUnitReport(suite: "fetcher explore", cases: outcomes.map(\.testCase))
  }

  /// Adds a search and its failing run to the report, and prints them unless the output is JSON.
  ///
  /// - Parameter isWhole: whether the search completed without being interrupted.
  func add(_ outcome: ExplorationOutcome, _ record: RunRecord?, isWhole: Bool = true) {
    guard isWhole || outcome.saysSomething else { return }
    let name = "\(outcome.scenario)  \(outcome.strategy)  \(outcome.variant)"
    guard take(outcome, name, record, isWhole: isWhole) else { return }
    let style = context.output.style
    let survived = isWhole ? "survived" : "so far  "
    let verdict =
      outcome.ok ? style(.green, outcome.failure == nil ? survived : "caught  ") : style(.red, "broken  ")
    let remark = outcome.failure == nil && !outcome.judgesExpectations ? "  (expectations not judged)" : ""
    let variant = outcome.variant == Scenario.fixedVariant ? "" : "  \(visible(outcome.variant))"
    say("\(verdict)  \(visible(outcome.scenario))  \(outcome.strategy)\(variant)\(remark)")
    for line in outcome.text.split(separator: "\n", omittingEmptySubsequences: false) {
      for part in Self.wrapped(line.isEmpty ? "" : "  " + line) { say(String(shapes(of: part))) }
    }
    if let record { draw(record) }
  }

  /// Wraps a line of the report to 100 columns and indents the continuation. A command is kept on one line, so that it
  /// can be copied.
  private static func wrapped(_ line: String) -> [String] {
    let width = 100
    let isCommand = ["explore", "run"].contains { line.contains("\(ProgramName.shown.shellQuoted) \($0) ") }
    if line.count <= width || isCommand { return [line] }
    let indent = String(line.prefix { $0 == " " })
    return line.wrapped(to: width, first: indent, rest: indent + "  ")
  }

  func showSummary(_ outcomes: [ExplorationOutcome]) {
    if outcomes.count > 1 {
      let schedules = outcomes.reduce(0) { $0 + $1.statistics.schedules }
      say("\(outcomes.count) searches, \(schedules) schedules: \(outcomes.count { !$0.ok }) broken")
    }
    if outcomes.count > 1 || !arguments.has(ResultOptions.quiet) || !outcomes.allSatisfy(isOK) { say(NotVaried.line) }
  }
}

extension ExplorationOutcome {
  /// Whether to report an interrupted search. A search that must find a failure is reported only if it found one.
  /// Without the interruption, the search might have found a failure later.
  fileprivate var saysSomething: Bool { failure != nil || sought.isEmpty && statistics.schedules > 0 }

  fileprivate var testCase: JUnitReport.TestCase {
    let title = failure?.message ?? "not found: \(sought.joined(separator: ", "))"
    return JUnitReport.TestCase(
      group: scenario, name: "\(strategy), \(variant)", seconds: seconds,
      failures: ok ? [] : [JUnitReport.TestCase.Failure(title: title, text: "\(file)\n\(text)\n\(NotVaried.line)")])
  }
}
