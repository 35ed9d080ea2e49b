import Bytes
import ScenarioEngine
import ScenarioFormat

/// Runs as a table: a row for each scenario, with its variant and clock where they matter, and a column for each strategy.
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
    strategies = StrategyNames.all.filter { name in outcomes.contains { $0.strategy == name } }
  }

  /// The lines to print. A strategy with which the scenario was not run has a dash.
  func lines(_ style: Style) -> [String] {
    var table = Table(["scenario", "clock"].map { .text($0) } + strategies.map { .text($0) })
    for row in rows {
      let name = row.variant == Scenario.fixedVariant ? row.scenario : "\(row.scenario) (\(row.variant))"
      table.add(
        [visible(name), row.clock] + strategies.map { cells[row]?[$0].map { $0.ok ? "passed" : "FAILED" } ?? "-" })
    }
    return table.lines(style)
  }
}
