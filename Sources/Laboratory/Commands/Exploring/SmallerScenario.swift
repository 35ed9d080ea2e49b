import ScenarioFormat
import ScheduleExplorer

/// The steps and images that are not needed for a failure. Without them, some schedule still breaks the scenario in the
/// same way. If the failure needs deviations, the smaller scenario still passes in first-in, first-out order.
struct SmallerScenario {
  private static let maximumSchedules = 500

  /// The indexes of the unneeded steps, counted from 0.
  let needlessSteps: [Int]
  let needlessImages: [String]

  init(_ search: ScenarioSearch, _ failure: ExplorationFailure) {
    var (steps, images) = (Set<Int>(), Set<String>())
    let subject = Self.subject(failure.finding)
    let cost = failure.token.deviations.cost
    let breaks = { (smaller: ScenarioSearch) in
      var explorer = Explorer()
      explorer.search = .bounded(cost)
      (explorer.schedules, explorer.minimizing, explorer.explaining) = (Self.maximumSchedules, 0, 0)
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

  /// Returns the invariant or the kind of expectation that the finding violates.
  private static func subject(_ finding: Finding) -> Substring {
    // The number of a step changes if a step above it is left out.
    finding.message.hasPrefix("step ") ? "step" : finding.message.prefix { $0 != ":" }
  }

  /// Returns whether the time of another step is relative to this step.
  private static func isNamed(_ step: Int, in scenario: Scenario) -> Bool {
    guard let id = scenario.steps[step].id else { return false }
    return scenario.steps.contains { if case .after(id, _) = $0.start { true } else { false } }
  }
}
