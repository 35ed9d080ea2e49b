/// What one run of a scenario gave.
public struct ScenarioRun: Sendable {
  /// Whether everything held, and what did not.
  public let outcome: ScenarioOutcome
  /// What happened, as a table of lines: a row for each event, a column for each lane, and what is wrong below the row that shows it.
  public let timeline: [String]
}
