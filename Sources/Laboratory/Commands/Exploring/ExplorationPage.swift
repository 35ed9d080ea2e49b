import CommandLineTool
import RunPages
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer

/// The page for a search. It shows the failing schedule and, for comparison, a second schedule.
enum ExplorationPage {
  static let option = PageOutput.option.saying(
    "also write a page that plays back the failing schedule and the one without its last deviation")

  /// Returns the page for a failure or for a replay. Returns nil for a search in which no schedule fails.
  ///
  /// - Parameter token: the replayed token, or nil for a search.
  static func page(_ search: ScenarioSearch, _ exploration: Exploration, token: Token?) -> RunPage? {
    guard let failing = exploration.failure?.token ?? token.flatMap({ $0.order.isEmpty ? $0 : nil }) else { return nil }
    let name = exploration.failure == nil ? "The order from the token" : "The order that fails"
    var runs = [run("\(failing)", name, failing.deviations, search)]
    if let (other, title) = other(failing.deviations, exploration.failure, search) {
      runs.append(run("E1.\(other)", title, other, search))
    }
    let variant = search.variant == Scenario.fixedVariant ? "" : " · \(search.variant)"
    let sentences = exploration.failure.map { [search.story(of: $0), $0.flippedPair].compactMap(\.self) } ?? []
    return RunPage(
      title: search.scenario.shownTitle, subtitle: "\(search.scenario.name) · \(search.strategy)\(variant)",
      runs: runs, files: [PageFile(search.source)],
      summary: sentences.isEmpty ? nil : sentences.joined(separator: " "),
      commands: [search.command(replaying: "\(failing)")])
  }

  /// Returns the schedule for comparison: the failing schedule with its last pair of items swapped. If there is no
  /// such pair, returns the first-in, first-out schedule. Returns nil if `failing` is that schedule, or if that
  /// schedule also fails.
  private static func other(
    _ failing: Deviations, _ failure: ExplorationFailure?, _ search: ScenarioSearch
  ) -> (Deviations, String)? {
    guard failing.cost > 0 else { return nil }
    if failure?.flippedPair == nil, search.judge(Schedule(replaying: Deviations())).finding != nil { return nil }
    guard failure?.flippedPair != nil, let flipped = failing.withLastPairFlipped else {
      return (Deviations(), "First in, first out")
    }
    return (flipped, "The last pair in the other order")
  }

  private static func run(_ id: String, _ name: String, _ deviations: Deviations, _ search: ScenarioSearch) -> PageRun {
    let (recorded, outcome) = search.recorded(deviations)
    return PageRunBuilder.page(
      id: id, name: name, recorded.record, recorded.items, outcome, search.scenario, search.source)
  }
}
