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
  func way(_ wishes: ExplorationWishes) -> ScheduleExplorer.Search {
    wishes.bound.map { .bounded($0) } ?? scenario.exploration?.chosen ?? .mixed
  }

  /// Runs the search, or replays a token.
  ///
  /// - Parameters:
  ///  - stop: a signal that ends the search early.
  ///  - progress: a closure that creates the progress display for a budget.
  /// - Throws: an error if the token does not match the scenario.
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
      (explorer.schedules, explorer.minimising, explorer.explaining) = (Self.maximumSchedules, 0, 0)
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

/// The settings from the flags of `explore`, which override the settings in the files.
struct ExplorationWishes: Sendable {
  static let variant = CommandOption("--variant", "NAME", "only this variant; by default those in the file")
  static let budget = CommandOption(
    "--budget", "N", "the maximum number of schedules per search; by default the file's number, or 10000")
  static let seconds = CommandOption("--seconds", "N", "the time limit of each search; by default unlimited")
  static let bound = CommandOption(
    "--bound", "N",
    "run all schedules with at most N deviations; by default the file's search method, or a mix of methods")
  static let smallScope = CommandOption(
    "--small-scope", "N", "search all scenarios that consist of at most N of the file's steps; implies --bound 2")
  static let seed = CommandOption("--seed", "N", "the seed for random choices in the search; by default 1")
  static let shard = CommandOption("--shard", "I/N", "the I-th of N parts of the search")
  static let replay = CommandOption(
    "--replay", "TOKEN", "run the schedule that the token describes; requires one file and one strategy")
  static let loose = CommandOption(
    "--loose", "with --replay: follow the token as far as possible, for a program that has changed")
  static let smaller = CommandOption("--smaller", "report the steps and images that a failure does not need")
  static let step = CommandOption("--step", "choose each next item yourself; requires one file and one strategy")
  static let merge = CommandOption("--merge", "merge the JSON reports of all shards; pass the reports as FILE")
  static let json = ResultOptions.json.saying("the findings as JSON")
  static let schema = CommandOption("--schema", "print the JSON Schema for the output of --json instead")
  static let junit = ResultOptions.junit.saying("also write the findings as JUnit XML")
  static let mermaid = ResultOptions.mermaid.saying("the failing run as a Mermaid sequence diagram")
  static let trace = ResultOptions.trace.saying("also write the failing runs as a trace for Perfetto or Chrome")

  /// The options that apply only to a search.
  static let ofSearch = [budget, seconds, bound, smallScope, seed, shard, replay]

  /// All options, in help order.
  static let all = [
    StrategyOption.program.option, variant, budget, seconds, bound, smallScope, seed, shard, replay, loose, smaller,
    step, merge,
    json, schema, junit, mermaid, trace, ExplorationPage.option, ResultOptions.quiet,
  ]

  let strategies: [String]?
  let variant: String?
  let schedules: Int?
  let time: Duration?
  let bound: Int?
  let smallScope: Int?
  let seed: UInt64
  let shard: Shard
  let token: Token?
  let isLoose: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    strategies = try StrategyOption.program.several(arguments)
    variant = arguments[Self.variant]
    schedules = try arguments.number(Self.budget, in: 1...1_000_000_000)
    time = try arguments.number(Self.seconds, in: 1...1_000_000).map { .seconds($0) }
    bound = try arguments.number(Self.bound, in: 0...100)
    smallScope = try arguments.number(Self.smallScope, in: 1...6)
    seed = UInt64(try arguments.number(Self.seed, in: Scenario.seeds, or: 1))
    if let text = arguments[Self.shard] {
      guard let shard = Shard(text) else {
        throw UsageError("--shard takes I/N with I from 1 to N, such as 2/4, not \"\(text)\"")
      }
      self.shard = shard
    } else {
      shard = .whole
    }
    if let text = arguments[Self.replay] {
      do throws(Token.Malformed) {
        token = try Token(parsing: text)
      } catch {
        throw UsageError("--replay takes a token that `fetcher explore` printed, not \"\(text)\": \(error)")
      }
      let others = [Self.budget, Self.seconds, Self.bound, Self.seed, Self.shard, Self.smallScope]
      if let other = others.first(where: arguments.has) {
        throw UsageError("\(other.name) cannot be combined with --replay, which runs a single schedule")
      }
    } else {
      token = nil
    }
    if smallScope != nil, shard != .whole {
      throw UsageError("--small-scope searches many scenarios, and cannot be combined with --shard")
    }
    isLoose = arguments.has(Self.loose)
    if isLoose, token == nil { throw UsageError("--loose works only with --replay TOKEN") }
  }
}
