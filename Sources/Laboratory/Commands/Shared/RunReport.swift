import CommandLineTool
import EventBus
import PlainText
import ScenarioEngine
import ScenarioFormat

/// Reports the results of `fetcher run`.
struct RunReport: ResultReport {
  let arguments: ParsedArguments
  let context: CommandContext
  let collected = Locked(CollectedResults<RunEntry>())
  let plural = "runs"
  let fileCount: Int
  private let start = DispatchRuntime.shared.now

  func isOK(_ entry: RunEntry) -> Bool { entry.outcome.ok }

  func junit(_ entries: [RunEntry]) -> JUnitReport { JUnitReport(outcomes: entries.map(\.outcome)) }

  /// Adds a run to the report, and prints it unless its output is deferred.
  ///
  /// - Parameter wall: the elapsed wall-clock time.
  func add(_ outcome: ScenarioOutcome, _ record: RunRecord, wall: Duration) {
    let entry = RunEntry(outcome: outcome, wall: wall, events: arguments.has(RunCommand.events) ? events(record) : nil)
    guard take(entry, outcome.name, record), !arguments.has(RunCommand.matrix) else { return }
    let output = context.output
    let style = output.style
    say("\(outcome.ok ? style(.green, "passed") : style(.red, "failed"))  \(visible(outcome.name))")
    sayWhy(outcome)
    if arguments.has(RunCommand.timeline) {
      let timeline = timeline(record, outcome)
      for line in timeline.lines(heading: { style(.bold, $0) }, failure: { style(.red, $0) }) { output.line(line) }
    }
    draw(record)
  }

  private func events(_ record: RunRecord) -> [RunEvent] {
    arguments.has(RunCommand.bus) ? record.shown.map(\.event) : record.events
  }

  /// Returns the timeline. It omits the bus column if the table would otherwise be too wide for the terminal.
  private func timeline(_ record: RunRecord, _ outcome: ScenarioOutcome) -> Timeline {
    let whole = Timeline(record, outcome, showsBus: !arguments.has(RunCommand.noBus))
    guard !arguments.has(RunCommand.bus), let width = Terminal.outputWidth, whole.width > width else { return whole }
    let narrow = Timeline(record, outcome, showsBus: false)
    return narrow.width <= width ? narrow : whole
  }

  /// Prints the failures of a run, each with its explanation.
  private func sayWhy(_ outcome: ScenarioOutcome) {
    for (failure, next) in zip(outcome.failures, outcome.failures.dropFirst().map(Optional.init) + [nil]) {
      say(visible("  \(outcome.file):\(failure.line):\(failure.column): \(failure.message)"))
      // Several wrong states of one `final` have the same explanation.
      if let next, (next.line, next.column) == (failure.line, failure.column), next.why == failure.why { continue }
      for line in failure.why?.split(whereSeparator: \.isNewline) ?? [] { say(visible("    \(line)")) }
    }
  }

  func showSummary(_ entries: [RunEntry]) {
    let outcomes = entries.map(\.outcome)
    if arguments.has(RunCommand.matrix), !outcomes.isEmpty { showMatrix(outcomes) }
    guard fileCount > 1 else { return }
    let seconds = (DispatchRuntime.shared.now - start).inSeconds.fixed(2)
    let count = outcomes.count.counted("run")
    let failed = outcomes.count { !$0.ok }
    say("\(count) of \(fileCount) scenarios: \(outcomes.count - failed) passed, \(failed) failed (\(seconds) s)")
  }

  /// Prints all runs as a table, followed by the failures.
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

/// The entry for one run in the output of `run --json`.
struct RunEntry: Sendable, Encodable {
  let outcome: ScenarioOutcome
  /// The elapsed wall-clock time. In contrast, the outcome's `seconds` is measured on the run's own clock.
  let wall: Duration
  /// The events of the run, if a flag requests them.
  let events: [RunEvent]?

  private enum CodingKeys: String, CodingKey { case wallSeconds, trace }

  /// One event, with the same keys as an event pattern in a scenario. `ms` is the time since the start of the run.
  private struct Event: Encodable {
    let event: RunEvent

    func encode(to encoder: any Encoder) throws {
      var fields = Dictionary(
        uniqueKeysWithValues: event.values.map { ($0.rawValue, JSONValue.string($1.withoutCredentials)) })
      fields["event"] = .string(event.kind.rawValue)
      fields["ms"] = .number(event.time / .milliseconds(1))
      try JSONValue.object(fields).encode(to: encoder)
    }
  }

  func encode(to encoder: any Encoder) throws {
    try outcome.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(wall.inSeconds, forKey: .wallSeconds)
    try container.encodeIfPresent(events?.map(Event.init), forKey: .trace)
  }
}

/// Shows runs as a table with one row per scenario and one column per strategy. If variants or clocks differ, the row
/// labels include them.
struct OutcomeMatrix {
  private struct Row: Hashable {
    let scenario: String
    let variant: String
    let clock: String
  }

  private let rows: [Row]
  private let strategies: [String]
  private let cells: [Row: [String: ScenarioOutcome]]

  init(_ outcomes: [ScenarioOutcome]) {
    var (rows, cells) = ([Row](), [Row: [String: ScenarioOutcome]]())
    for outcome in outcomes {
      let row = Row(scenario: outcome.scenario, variant: outcome.variant, clock: outcome.clock)
      if cells[row] == nil { rows.append(row) }
      cells[row, default: [:]][outcome.strategy] = outcome
    }
    (self.rows, self.cells) = (rows, cells)
    strategies = StrategyOption.program.all.filter { name in outcomes.contains { $0.strategy == name } }
  }

  /// Returns the lines to print. A dash means that the scenario was not run with that strategy.
  func lines(_ style: TextStyle) -> [String] {
    var table = Table(["scenario", "clock"].map { .text($0) } + strategies.map { .text($0) })
    for row in rows {
      let name = row.variant == Scenario.fixedVariant ? row.scenario : "\(row.scenario) (\(row.variant))"
      table.add(
        [visible(name), row.clock] + strategies.map { cells[row]?[$0].map { $0.ok ? "passed" : "FAILED" } ?? "-" })
    }
    return table.lines(style)
  }
}
