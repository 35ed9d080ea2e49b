import Bytes
import EventBus
import ScenarioEngine
import ScenarioFormat

/// The results of `fetcher run`.
struct RunReport: ResultReport {
  let arguments: ParsedArguments
  let context: CommandContext
  let collected = Locked(CollectedResults<RunEntry>())
  let plural = "runs"
  /// How many files were given.
  let fileCount: Int
  private let start = DispatchRuntime.shared.now

  func isOK(_ entry: RunEntry) -> Bool { entry.outcome.ok }

  func junit(_ entries: [RunEntry]) -> JUnitReport { JUnitReport(outcomes: entries.map(\.outcome)) }

  /// Records a run, and prints it unless output is deferred.
  ///
  /// - Parameter wall: how long it took by the clock on the wall.
  func add(_ outcome: ScenarioOutcome, _ record: RunRecord, wall: Duration) {
    let entry = RunEntry(outcome: outcome, wall: wall, events: arguments.has("--events") ? events(record) : nil)
    guard take(entry, outcome.name, record), !arguments.has("--matrix") else { return }
    let output = context.output
    let style = output.style
    say("\(outcome.ok ? style(.green, "passed") : style(.red, "failed"))  \(visible(outcome.name))")
    sayWhy(outcome)
    if arguments.has("--timeline") {
      let timeline = timeline(record, outcome)
      for line in timeline.lines(heading: { style(.bold, $0) }, failure: { style(.red, $0) }) { output.line(line) }
    }
    draw(record)
  }

  private func events(_ record: RunRecord) -> [RunEvent] {
    arguments.has("--bus") ? record.shown.map(\.event) : record.events
  }

  /// The bus has its column, unless the table fits the terminal only without it.
  private func timeline(_ record: RunRecord, _ outcome: ScenarioOutcome) -> Timeline {
    let whole = Timeline(record, outcome, showsBus: !arguments.has("--no-bus"))
    guard !arguments.has("--bus"), let width = Terminal.outputWidth, whole.width > width else { return whole }
    let narrow = Timeline(record, outcome, showsBus: false)
    return narrow.width <= width ? narrow : whole
  }

  /// Prints what did not hold.
  private func sayWhy(_ outcome: ScenarioOutcome) {
    for failure in outcome.failures {
      say(visible("  \(outcome.file):\(failure.line):\(failure.column): \(failure.message)"))
      for line in failure.why?.split(whereSeparator: \.isNewline) ?? [] { say(visible("    \(line)")) }
    }
  }

  func showSummary(_ entries: [RunEntry]) {
    let outcomes = entries.map(\.outcome)
    if arguments.has("--matrix"), !outcomes.isEmpty { showMatrix(outcomes) }
    guard fileCount > 1 else { return }
    let seconds = (DispatchRuntime.shared.now - start).inSeconds.fixed(2)
    let count = outcomes.count.counted("run")
    let failed = outcomes.count { !$0.ok }
    say("\(count) of \(fileCount) scenarios: \(outcomes.count - failed) passed, \(failed) failed (\(seconds) s)")
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
}
