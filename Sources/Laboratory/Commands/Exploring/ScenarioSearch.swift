import CommandLineTool
import Foundation
import PlainText
import RunPages
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer
import VirtualTime

/// Returns a command for one scenario file and one strategy, in a form that a reader can paste into a shell.
func scenarioCommand(_ name: String, _ path: String, strategy: String, _ rest: String...) -> String {
  // A word that begins with a dash is an option.
  let file = path.hasPrefix("-") ? "./" + path : path
  return ([ProgramName.shown, name, file, "--strategy", strategy] + rest).map(\.shellQuoted).joined(separator: " ")
}

/// A search over the schedules of one scenario, with one strategy and one variant.
struct ScenarioSearch: Sendable {
  let scenario: Scenario
  let source: SourceText
  let strategy: String
  let variant: String
  private let program: ProgramRegistry.Make
  private let runner: VirtualScenarioRunner

  var path: String { source.path }
  /// The name to which a token is bound. It omits the variant, so that a token from the broken variant can be replayed
  /// on the fixed variant.
  var subject: String { "\(scenario.name) \(strategy)" }
  var name: String { "\(scenario.name), \(strategy), \(variant)" }

  /// Returns the command that replays a token.
  func command(replaying token: String) -> String {
    scenarioCommand("explore", path, strategy: strategy, "--replay", token)
  }

  private init(
    _ scenario: Scenario, _ source: SourceText, _ program: @escaping ProgramRegistry.Make, strategy: String,
    variant: String
  ) {
    // In a file whose expectations hold for any response time, a response may be late, but not by a minute. Otherwise
    // each search would report a timeout that no expectation allows for.
    var scenario = scenario
    if scenario.timing == .any { scenario.limits.endsAtDeadline = scenario.usesDeadline }
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

  /// Returns a search for each combination of the strategies and variants that the file or the options name.
  static func all(
    _ file: ScenarioFile, _ options: ExploreOptions, of programs: ProgramRegistry = .shipped
  ) -> [ScenarioSearch] {
    guard let scenario = file.scenario else { return [] }
    return scenario.variants.filter { options.variant == nil || $0 == options.variant }.flatMap { variant in
      guard let program = programs.make(scenario.program, variant: variant) else {
        return [ScenarioSearch]()
      }
      return (options.strategies ?? scenario.plannedStrategies).map { strategy in
        ScenarioSearch(scenario, file.source, program, strategy: strategy, variant: variant)
      }
    }
  }

  /// Returns the same search for another file, or nil if that file contains no valid scenario.
  func playing(_ file: ScenarioFile) -> ScenarioSearch? {
    file.scenario.map { ScenarioSearch($0, file.source, program, strategy: strategy, variant: variant) }
  }

  /// Returns the same search without these steps and images.
  func without(steps: Set<Int>, images: Set<String>) -> ScenarioSearch {
    var smaller = scenario
    smaller.steps = scenario.steps.indices.filter { !steps.contains($0) }.map { scenario.steps[$0] }
    smaller.images.removeAll { images.contains($0.id) }
    return ScenarioSearch(smaller, source, program, strategy: strategy, variant: variant)
  }

  /// Returns the text of the file without these steps and images. Returns nil if the file repeats steps or pictures,
  /// or if other parts of the file need what is left out.
  func text(withoutSteps steps: [Int], images: [String]) -> String? {
    guard var root = (try? JSONSerialization.jsonObject(with: Data(source.bytes))) as? [String: Any],
      var all = root["steps"] as? [[String: Any]], all.count == scenario.steps.count
    else { return nil }
    for step in steps.sorted().reversed() { all.remove(at: step) }
    root["steps"] = all
    if let pictures = root["images"] as? [[String: Any]] {
      root["images"] = pictures.filter { picture in !images.contains { $0 == picture["id"] as? String } }
    }
    guard
      let data = try? JSONSerialization.data(
        withJSONObject: root, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]),
      ScenarioFile(
        SourceText(path: path, bytes: Array(data)), vocabulary: ScenarioPaths.vocabulary
      ).scenario != nil
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the search method.
  func way(_ options: ExploreOptions) -> ScheduleExplorer.Search {
    options.bound.map { .bounded($0) } ?? scenario.exploration?.chosen ?? .mixed
  }

  /// Returns a sentence about a search that a limit ended, or an empty text.
  func end(of figures: Statistics, _ options: ExploreOptions) -> String {
    if case .bounded(let wanted) = way(options) {
      if let bound = figures.bound, bound.isEverything || bound.deviations >= wanted { return "" }
      let most = wanted.counted("deviation")
      return
        "\nThe search ended before it ran all schedules with at most \(most); a larger --budget or --seconds continues it"
    }
    let (schedules, time) = limits(options)
    // The check that the program is deterministic takes up to a quarter of the time.
    guard let time, figures.duration >= time * 3 / 4, figures.bound?.isEverything != true,
      figures.schedules > 1, figures.schedules < schedules / options.shard.count
    else { return "" }
    return "\nThe time limit of \(time.spelled) ended the search; a larger --seconds continues it"
  }

  /// Returns the maximum number of schedules, and the time limit.
  private func limits(_ options: ExploreOptions) -> (schedules: Int, time: Duration?) {
    let block = scenario.exploration
    return (options.schedules ?? block?.runs ?? 10_000, options.time ?? block?.budget)
  }

  /// Runs the search, or replays a token.
  ///
  /// - Parameters:
  ///  - stop: a signal that ends the search early.
  ///  - progress: a closure that creates the progress display for a budget.
  /// - Throws: an error if the token does not match the scenario.
  func run(
    _ options: ExploreOptions, _ stop: StopSignal, _ progress: (String, Int, Duration?) -> SearchProgress
  ) throws(ReplayMismatch) -> Exploration {
    var explorer = Explorer()
    (explorer.schedules, explorer.time) = limits(options)
    explorer.seed = options.seed
    explorer.subject = subject
    explorer.shard = options.shard
    explorer.search = way(options)
    if let token = options.token { return try explorer.replay(token, loosely: options.isLoose, judge) }
    let progress = progress(name, explorer.schedules / explorer.shard.count, explorer.time)
    explorer.onProgress = { progress.ran($0) }
    explorer.onFailure = { progress.found() }
    explorer.isStopped = { stop.isGiven }
    defer { progress.end() }
    return explorer.explore(judge)
  }

  /// Returns the full record of a failing schedule.
  func record(of failure: ExplorationFailure) -> RunRecord {
    let schedule = Schedule(replaying: failure.token.deviations)
    let tracing = VirtualScenarioRunner(
      scenario: scenario, folder: Self.folder(source), program: program, tracesClosures: true, showsBus: true)
    return tracing.run(strategy, VirtualSchedule(timing: timing, policy: schedule.policy))
  }

  /// Runs one schedule and records its events, bus events and items.
  func recorded(_ deviations: Deviations) -> (recorded: RecordedScenario, outcome: ScenarioOutcome) {
    let tracing = VirtualScenarioRunner(
      scenario: scenario, folder: Self.folder(source), program: program, showsBus: true)
    let recorded = RecordedScenario(tracing, strategy, deviations) {
      VirtualSchedule(timing: timing, policy: $0.policy, observer: $0.observer)
    }
    return (recorded, outcome(of: recorded.record))
  }

  /// Returns a sentence about the events that lead to a failure.
  func story(of failure: ExplorationFailure) -> String? {
    let (recorded, outcome) = recorded(failure.token.deviations)
    return FailureStory.text(recorded.record.events, outcome)
  }

  private func outcome(of record: RunRecord) -> ScenarioOutcome {
    ScenarioOutcome(
      of: scenario, source, strategy: strategy, variant: variant, clock: .virtual, record,
      expects: scenario.timing != .exact)
  }

  /// The timing of responses and steps: at any time, or within the slack that the file specifies.
  private var timing: VirtualTime.Timing {
    if case .slack(let slack) = scenario.timing { .slack(slack) } else { .any }
  }

  /// Runs the scenario once under a schedule, and verifies the invariants. Verifies the file's expectations only if the
  /// file's timing is not exact.
  func judge(_ schedule: Schedule) -> Verdict {
    let record = runner.run(
      strategy, VirtualSchedule(timing: timing, policy: schedule.policy, observer: schedule.observer))
    let outcome = outcome(of: record)
    var verdict = Verdict(outcome: record.ending, steps: record.steps)
    if let failure = outcome.failures.first {
      verdict.finding = Finding(.check, failure.message)
      verdict.finding?.note = failure.step.map { $0 - 1 }
    }
    return verdict
  }

  /// Returns how a schedule fails, with the place in the file and the reason of the expectation.
  func violation(in failure: ExplorationFailure) -> ScenarioOutcome.Failure? {
    let policy = Schedule(replaying: failure.token.deviations).policy
    let record = runner.run(strategy, VirtualSchedule(timing: timing, policy: policy))
    return outcome(of: record).failures.first
  }
}

extension Scenario.Exploration {
  /// The search method that the file requests.
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
