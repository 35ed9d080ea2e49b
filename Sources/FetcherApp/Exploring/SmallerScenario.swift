import ScenarioFormat
import ScheduleExplorer

/// The steps of a scenario that a failure does not need: without them some schedule still breaks it in the same way, and first
/// in, first out does not.
struct SmallerScenario {
  private static let mostSchedules = 500

  /// The numbers of the steps, from 0.
  let needless: [Int]

  init(_ search: ScenarioSearch, _ failure: ExplorationFailure) {
    var needless: Set<Int> = []
    let subject = Self.subject(failure.finding)
    let cost = failure.token.deviations.cost
    for step in search.scenario.steps.indices.reversed() where !Self.isNamed(step, in: search.scenario) {
      let smaller = search.without(steps: needless.union([step]))
      var explorer = Explorer()
      explorer.search = .bounded(cost)
      (explorer.schedules, explorer.minimising, explorer.explaining) = (Self.mostSchedules, 0, 0)
      explorer.checksDeterminism = false
      guard let found = explorer.explore(smaller.judge).failure, Self.subject(found.finding) == subject,
        cost == 0 || !found.original.list.isEmpty
      else { continue }
      needless.insert(step)
    }
    self.needless = needless.sorted()
  }

  /// The invariant, or the kind of the expectation.
  private static func subject(_ finding: Finding) -> Substring { finding.message.prefix { $0 != ":" } }

  /// Whether another step counts its time from this one.
  private static func isNamed(_ step: Int, in scenario: Scenario) -> Bool {
    guard let id = scenario.steps[step].id else { return false }
    return scenario.steps.contains { if case .after(id, _) = $0.start { true } else { false } }
  }
}
