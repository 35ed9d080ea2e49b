import ScenarioFormat
import ScheduleExplorer

/// The result of one search.
struct ExplorationOutcome: Sendable, Encodable {
  /// The figures of a search.
  struct Figures: Sendable, Encodable {
    let schedules: Int
    let distinctSchedules: Int
    let failing: Int
    let outcomes: Int
    let schedulesPerSecond: Int
    /// Nil where the search was not exhaustive.
    let bound: String?
  }

  /// The smallest failing schedule.
  struct Failure: Sendable, Encodable {
    let message: String
    let token: String
    let deviations: Int
    let isMinimal: Bool
    let schedule: Int
    let flippedPair: String?
  }

  let scenario: String
  let file: String
  let strategy: String
  let variant: String
  let clock = "virtual"
  /// Whether the search ended as it should: nothing found, or what the file says is to be found.
  let ok: Bool
  let failure: Failure?
  let statistics: Figures
  /// The whole report for people.
  let text: String

  private enum CodingKeys: String, CodingKey {
    case scenario, file, strategy, variant, clock, ok, failure, statistics
  }

  init(_ search: ScenarioSearch, _ exploration: Exploration) {
    scenario = search.scenario.name
    file = search.path
    strategy = search.strategy
    variant = search.variant
    let figures = exploration.statistics
    statistics = Figures(
      schedules: figures.schedules, distinctSchedules: figures.distinctSchedules, failing: figures.failing,
      outcomes: figures.outcomes.count, schedulesPerSecond: Int(figures.schedulesPerSecond),
      bound: figures.bound.map { "\($0)" })
    let failure = exploration.failure.map { failure in
      Failure(
        message: failure.finding.message, token: "\(failure.token)", deviations: failure.token.deviations.cost,
        isMinimal: failure.isMinimal, schedule: failure.schedulesRun, flippedPair: failure.flippedPair)
    }
    self.failure = failure
    let sought = search.variant == Scenario.fixedVariant ? [] : search.scenario.exploration?.find ?? []
    ok = sought.isEmpty ? failure == nil : sought.contains { failure?.message.hasPrefix($0.rawValue) == true }
    text = exploration.failure.map { Self.report($0, search) } ?? Self.facts(figures)
  }

  private static func facts(_ figures: Statistics) -> String {
    var parts = ["\(figures.schedules) schedules, none fails"]
    if let bound = figures.bound { parts.append("\(bound)") }
    parts.append("\(figures.outcomes.count) outcome\(figures.outcomes.count == 1 ? "" : "s")")
    parts.append("\(Int(figures.schedulesPerSecond)) schedules per second")
    return parts.joined(separator: "; ")
  }

  private static func report(_ failure: ExplorationFailure, _ search: ScenarioSearch) -> String {
    var lines = [failure.finding.message]
    if let foundBy = failure.foundBy {
      lines.append("found by \(foundBy) in schedule \(failure.schedulesRun), seed \(failure.seed)")
      let cost = failure.token.deviations.cost
      lines.append(
        failure.isMinimal
          ? "minimal: no schedule with fewer than \(cost) deviations fails"
          : "\(cost) deviations; a smaller schedule was not ruled out")
    }
    if !failure.laneTable.isEmpty { lines += ["", failure.laneTable] }
    if let pair = failure.flippedPair { lines += ["", pair] }
    lines += ["", "replay: fetcher explore \(search.path) --strategy \(search.strategy) --replay \(failure.token)"]
    return lines.joined(separator: "\n")
  }
}
