import Foundation
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer
import VirtualTime

/// The search over the schedules of one scenario with one strategy and one variant.
struct ScenarioSearch: Sendable {
  let scenario: Scenario
  let source: SourceText
  let strategy: String
  let variant: String
  private let program: ProgramRegistry.Make
  private let runner: VirtualScenarioRunner

  var path: String { source.path }
  /// What a token is for. Not the variant: the mended one is to be tried with the token of the broken one.
  var subject: String { "\(scenario.name) \(strategy)" }
  var name: String { "\(scenario.name), \(strategy), \(variant)" }

  private init(
    _ scenario: Scenario, _ source: SourceText, _ program: @escaping ProgramRegistry.Make, strategy: String,
    variant: String
  ) {
    self.scenario = scenario
    self.source = source
    self.program = program
    self.strategy = strategy
    self.variant = variant
    runner = VirtualScenarioRunner(scenario: scenario, folder: Self.folder(source), program: program)
  }

  private static func folder(_ source: SourceText) -> URL {
    URL(filePath: source.path).deletingLastPathComponent()
  }

  /// One search for each strategy and variant that the file or the wishes name.
  static func all(
    _ file: ScenarioFile, _ wishes: ExplorationWishes, of programs: ProgramRegistry = .shipped
  ) -> [ScenarioSearch] {
    guard let scenario = file.scenario else { return [] }
    return scenario.variants.filter { wishes.variant == nil || $0 == wishes.variant }.flatMap { variant in
      guard let program = programs.make(scenario.program, variant: variant) else {
        return [ScenarioSearch]()
      }
      return (wishes.strategies ?? scenario.plannedStrategies).map { strategy in
        ScenarioSearch(scenario, file.source, program, strategy: strategy, variant: variant)
      }
    }
  }

  /// The same with another file; nil if that has no scenario.
  func playing(_ file: ScenarioFile) -> ScenarioSearch? {
    file.scenario.map { ScenarioSearch($0, file.source, program, strategy: strategy, variant: variant) }
  }

  /// The same without some of the steps and images.
  func without(steps: Set<Int>, images: Set<String>) -> ScenarioSearch {
    var smaller = scenario
    smaller.steps = scenario.steps.indices.filter { !steps.contains($0) }.map { scenario.steps[$0] }
    smaller.images.removeAll { images.contains($0.id) }
    return ScenarioSearch(smaller, source, program, strategy: strategy, variant: variant)
  }

  /// How it chooses schedules.
  func way(_ wishes: ExplorationWishes) -> ScheduleExplorer.Search {
    wishes.bound.map { .bounded($0) } ?? scenario.exploration?.chosen ?? .mixed
  }

  /// Searches, or replays a token.
  ///
  /// - Parameters:
  ///   - stop: ends the search early.
  ///   - progress: makes what shows how far a search with such a budget is.
  /// - Throws: where the token does not fit the scenario.
  func run(
    _ wishes: ExplorationWishes, _ stop: StopSignal, _ progress: (String, Int, Duration?) -> SearchProgress
  ) throws(ReplayMismatch) -> Exploration {
    let block = scenario.exploration
    var explorer = Explorer()
    explorer.schedules = wishes.schedules ?? block?.runs ?? 10_000
    explorer.time = wishes.time ?? block?.budget
    explorer.seed = wishes.seed
    explorer.subject = subject
    explorer.shard = wishes.shard
    explorer.search = way(wishes)
    if let token = wishes.token { return try explorer.replay(token, loosely: wishes.isLoose, judge) }
    let progress = progress(name, explorer.schedules / explorer.shard.count, explorer.time)
    explorer.onProgress = { progress.ran($0) }
    explorer.onFailure = { progress.found() }
    explorer.isStopped = { stop.isGiven }
    defer { progress.end() }
    return explorer.explore(judge)
  }

  /// Everything that happens under the schedule of a failure.
  func record(of failure: ExplorationFailure) -> RunRecord {
    let schedule = Schedule(replaying: failure.token.deviations)
    let tracing = VirtualScenarioRunner(
      scenario: scenario, folder: Self.folder(source), program: program, tracesClosures: true, showsBus: true)
    return tracing.run(strategy, VirtualSchedule(timing: timing, policy: schedule.policy))
  }

  /// Answers and steps may come at any time, but for a slack that the file states.
  private var timing: VirtualTime.Timing {
    if case .slack(let slack) = scenario.timing { .slack(slack) } else { .any }
  }

  /// Runs once under a schedule. What the file expects is verified only where its timing is not exact.
  func judge(_ schedule: Schedule) -> Verdict {
    let record = runner.run(
      strategy, VirtualSchedule(timing: timing, policy: schedule.policy, observer: schedule.observer))
    let outcome = ScenarioOutcome(
      of: scenario, source, strategy: strategy, variant: variant, clock: .virtual, record,
      expects: scenario.timing != .exact)
    var verdict = Verdict(outcome: record.ending, steps: record.steps)
    if let failure = outcome.failures.first { verdict.finding = Finding(.check, failure.message) }
    return verdict
  }
}

extension Scenario.Exploration {
  /// The search that the file asks for.
  fileprivate var chosen: ScheduleExplorer.Search {
    switch search {
    case .mixed: delays.map { .bounded($0) } ?? .mixed
    case .fifo: .fifo
    case .bounded: .bounded(delays ?? 3)
    case .random: .random
    case .pct: .pct(depth: 3)
    }
  }
}
