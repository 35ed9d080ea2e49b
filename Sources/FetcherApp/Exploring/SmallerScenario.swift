import ScenarioFormat
import ScheduleExplorer

/// The steps and images of a scenario that a failure does not need: without them some schedule still breaks it in the same way,
/// and first in, first out does not.
struct SmallerScenario {
  private static let mostSchedules = 500

  /// The numbers of the steps, from 0.
  let needlessSteps: [Int]
  /// The ids of the images.
  let needlessImages: [String]

  init(_ search: ScenarioSearch, _ failure: ExplorationFailure) {
    var (steps, images) = (Set<Int>(), Set<String>())
    let subject = Self.subject(failure.finding)
    let cost = failure.token.deviations.cost
    let breaks = { (smaller: ScenarioSearch) in
      var explorer = Explorer()
      explorer.search = .bounded(cost)
      (explorer.schedules, explorer.minimising, explorer.explaining) = (Self.mostSchedules, 0, 0)
      explorer.verifiesDeterminism = false
      guard let found = explorer.explore(smaller.judge).failure else { return false }
      return Self.subject(found.finding) == subject && (cost == 0 || !found.original.list.isEmpty)
    }
    for step in search.scenario.steps.indices.reversed() where !Self.isNamed(step, in: search.scenario) {
      if breaks(search.without(steps: steps.union([step]), images: [])) { steps.insert(step) }
    }
    for image in search.scenario.images.map(\.id) {
      if breaks(search.without(steps: steps, images: images.union([image]))) { images.insert(image) }
    }
    (needlessSteps, needlessImages) = (steps.sorted(), images.sorted())
  }

  /// The invariant, or the kind of the expectation.
  private static func subject(_ finding: Finding) -> Substring { finding.message.prefix { $0 != ":" } }

  /// Whether another step counts its time from this one.
  private static func isNamed(_ step: Int, in scenario: Scenario) -> Bool {
    guard let id = scenario.steps[step].id else { return false }
    return scenario.steps.contains { if case .after(id, _) = $0.start { true } else { false } }
  }
}
