import CommandLineTool
import EventBus
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer

/// Searches the small scope of a scenario. For each scenario in the scope, it tries all schedules with few deviations.
/// It stops at the first scenario that breaks.
struct SmallScopeSearch {
  /// The default maximum number of deviations. Two deviations, such as an early and a late response, expose nearly all
  /// bugs that depend on the order of events.
  private static let deviations = 2
  private let search: ScenarioSearch
  private let scope: SmallScope
  private let length: Int
  private let options: ExploreOptions
  private let runtime: any Runtime

  /// - Throws: an error if the file has no step that causes an event.
  init(
    _ search: ScenarioSearch, upTo length: Int, _ options: ExploreOptions, _ runtime: any Runtime
  ) throws(UsageError) {
    scope = SmallScope(search.source)
    guard scope.count(upTo: 1) > 0 else {
      throw UsageError("\(search.path) has no step that causes an event, so no other scenario can be built from it")
    }
    (self.search, self.length, self.options, self.runtime) = (search, length, options, runtime)
  }

  /// - Parameters:
  ///  - stop: a signal that ends the search early.
  ///  - progress: a closure that creates the progress display for a number of scenarios.
  func run(
    _ stop: StopSignal, _ progress: (String, Int, Duration?) -> SearchProgress
  ) -> ExplorationOutcome {
    let (start, count) = (runtime.now, scope.count(upTo: length))
    let progress = progress(search.name, count, options.time)
    defer { progress.end() }
    var found = ExplorationOutcome.SmallScope(steps: length, scenarios: count)
    var (schedules, endings) = (0, Set<String>())
    var explorer = Explorer()
    explorer.search = .bounded(options.bound ?? Self.deviations)
    explorer.seed = options.seed
    explorer.subject = search.subject
    explorer.isStopped = { stop.isGiven }
    for sequence in scope.sequences(upTo: length) {
      let left = options.schedules.map { $0 - schedules }
      let elapsed = runtime.now - start
      if stop.isGiven { return outcome(found, schedules, endings, elapsed) }
      if let left, left < 1 { return outcome(found, schedules, endings, elapsed) }
      if let time = options.time, elapsed >= time { return outcome(found, schedules, endings, elapsed) }
      found.tried += 1
      progress.ran(found.tried)
      guard let part = search.playing(scope.file(sequence)) else { continue }
      explorer.schedules = left ?? explorer.schedules
      explorer.verifiesDeterminism = found.played == 0
      found.played += 1
      let exploration = explorer.explore(part.judge)
      schedules += exploration.statistics.schedules
      endings.formUnion(exploration.statistics.outcomes.keys)
      guard exploration.failure != nil else { continue }
      found.failing = scope.lines(sequence)
      var outcome = ExplorationOutcome(part, exploration, nil)
      outcome.add(found)
      return outcome
    }
    return outcome(found, schedules, endings, runtime.now - start)
  }

  private func outcome(
    _ found: ExplorationOutcome.SmallScope, _ schedules: Int, _ endings: Set<String>, _ time: Duration
  ) -> ExplorationOutcome {
    ExplorationOutcome(
      search, found,
      ExplorationOutcome.Figures(
        schedules: schedules, distinctSchedules: schedules, failing: 0, outcomes: endings.count,
        schedulesPerSecond: Int(Double(schedules) / max(time / .seconds(1), 0.001))))
  }
}

extension ExplorationOutcome {
  /// The coverage of a small-scope search.
  struct SmallScope: Sendable, Codable {
    /// The maximum number of steps per scenario.
    let steps: Int
    /// The number of scenarios in the scope.
    let scenarios: Int
    /// The number of scenarios that were tried.
    var tried = 0
    /// The number of tried scenarios that were valid.
    var played = 0
    /// The steps of the scenario that breaks, or nil if none does.
    var failing: [String]?
  }

  fileprivate init(_ search: ScenarioSearch, _ scope: SmallScope, _ figures: Figures) {
    self.init(search, figures)
    // A scenario of the scope has other steps, so the expectations of the file do not apply to it.
    judgesExpectations = search.scenario.expectations.isEmpty
    if search.scenario.timing == .exact {
      text += "\nNo response came later than the file states. To try late responses as well, set \"timing\" to \"any\""
    }
    add(scope)
  }

  fileprivate mutating func add(_ scope: SmallScope) {
    smallScope = scope
    let rest = scope.tried - scope.played
    var lines = [
      "small scope: tried \(scope.tried) of \(scope.scenarios) scenarios with at most "
        + "\(scope.steps) of the file's steps" + (rest > 0 ? " (invalid scenarios: \(rest))" : "")
    ]
    if let failing = scope.failing {
      lines += ["this scenario breaks:", ""] + failing.map { "  " + $0 }
      lines += ["", "to replay it, put these steps into a copy of the file without its expectations", ""]
    }
    text = (lines + [text]).joined(separator: "\n")
  }
}
