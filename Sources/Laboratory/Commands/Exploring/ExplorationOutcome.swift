import Foundation
import PlainText
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer

/// The result of one search, in its JSON form.
struct ExplorationOutcome: Sendable, Codable {
  /// The statistics of a search.
  struct Figures: Sendable, Codable {
    var schedules: Int
    var distinctSchedules: Int
    var failing: Int
    var outcomes: Int
    var schedulesPerSecond: Int
    /// The bound, or nil if the search was not exhaustive.
    var bound: Bound?
  }

  /// The coverage of an exhaustive search.
  struct Bound: Sendable, Codable {
    var deviations: Int
    var schedules: Int
    var isEverything: Bool
    /// The numbers of schedules with zero deviations, with one deviation, and so on.
    var levels: [Int]
  }

  /// The smallest failing schedule.
  struct Failure: Sendable, Codable {
    let message: String
    let token: String
    let orderToken: String?
    let deviations: Int
    let isMinimal: Bool
    let schedule: Int
    let flippedPair: String?
    let pointOfNoReturn: Jump?
    /// What the user did and which pictures arrived, in order, or nil if this sentence was not requested.
    var story: String?
    /// The locations of the steps that are not needed for the failure, or nil if this list was not requested.
    var needlessSteps: [String]?
    /// The images that are not needed for the failure, or nil if this list was not requested.
    var needlessImages: [String]?
  }

  /// The step after which the share of failing random continuations increases the most.
  struct Jump: Sendable, Codable {
    let step: Int
    let name: String
    let before: Double
    let after: Double
  }

  /// The data needed to merge the shards of a search.
  struct Digests: Sendable, Codable {
    /// The hashes of the outcomes, eight bytes each.
    var outcomes: Data
    var schedules: Data
  }

  let scenario: String
  let file: String
  let strategy: String
  let variant: String
  let clock: String
  /// The failures that the search should find according to the file. If the list is empty, no failure is allowed.
  let sought: [String]
  /// The search method, or nil for a replay or a small scope.
  var search: String?
  var seed: UInt64?
  /// The shard of the search, or nil for the whole search.
  var shard: String?
  var failure: Failure?
  /// The small scope, or nil for a search over one scenario.
  var smallScope: SmallScope?
  var statistics: Figures
  var digests: Digests?
  /// The path of the page that lists what searches never vary, or nil in a report from an older version.
  var notVaried: String? = NotVaried.page
  /// Whether the search ended as expected. If the file lists failures to find, the search must find one of them.
  /// Otherwise, the search must find no failure.
  var ok: Bool
  /// Whether the search judged the expectations of the file. With exact timing, it judges only the invariants. Not part
  /// of the JSON.
  var judgesExpectations = true
  /// The elapsed real time in seconds, which is not part of the JSON.
  var seconds = 0.0
  /// The complete report as text, which is not part of the JSON.
  var text = ""

  private enum CodingKeys: String, CodingKey {
    case scenario, file, strategy, variant, clock, sought, search, seed, shard, failure, smallScope, statistics,
      digests, notVaried, ok
  }

  /// Creates the outcome of a search that found nothing.
  init(_ search: ScenarioSearch, _ figures: Figures) {
    scenario = search.scenario.name
    file = search.path
    strategy = search.strategy
    variant = search.variant
    clock = Scenario.Clock.virtual.rawValue
    let find = search.variant == Scenario.fixedVariant ? [] : search.scenario.exploration?.find ?? []
    sought = find.map(\.rawValue)
    statistics = figures
    judgesExpectations = search.scenario.timing != .exact || search.scenario.expectations.isEmpty
    ok = true
    text = facts
  }

  /// - Parameter options: the command-line options, or nil if this is one of the many searches in a small scope.
  init(_ search: ScenarioSearch, _ exploration: Exploration, _ options: ExploreOptions?) {
    let figures = exploration.statistics
    self.init(
      search,
      Figures(
        schedules: figures.schedules, distinctSchedules: figures.distinctSchedules, failing: figures.failing,
        outcomes: figures.outcomes.count, schedulesPerSecond: Int(figures.schedulesPerSecond),
        bound: figures.bound.map { bound in
          Bound(
            deviations: bound.deviations, schedules: bound.schedules, isEverything: bound.isEverything,
            levels: bound.levels)
        }))
    seconds = figures.duration / .seconds(1)
    failure = exploration.failure.map(Failure.init)
    if let options, options.token == nil {
      self.search = "\(search.way(options))"
      seed = options.seed
    }
    if let shard = options?.shard, shard != .whole {
      self.shard = "\(shard)"
      digests = Digests(
        outcomes: Digest.data(figures.outcomes.keys.map(FNV1a.hash)), schedules: Digest.data(Array(figures.seen)))
    }
    judge()
    text =
      exploration.failure.map { report($0, search.violation(in: $0)) }
      ?? facts + (figures.estimateText.map { "; \($0) in all" } ?? "") + Self.list(figures.outcomes)
    if let options, options.token == nil, exploration.failure == nil { text += search.end(of: figures, options) }
    if let mismatch = exploration.mismatch { text += "\nThe run stopped matching the token early. \(mismatch)" }
    let isBounded = search.scenario.expectations.contains { if case .within = $0.kind { true } else { false } }
    if judgesExpectations, isBounded, exploration.failure == nil, options?.token == nil {
      text +=
        "\nA response is late only where this changes the order of events, so the search does not find the longest time "
        + "of a \"within\". Test its limit with the latencies of the file."
    }
    if !judgesExpectations {
      text +=
        "\nOnly the invariants were judged. To judge the file's expectations as well, set \"timing\" to "
        + "{\"slack\": \"100ms\"} or \"any\""
    }
  }

  /// Sets ``ok`` to whether the search ended as expected.
  mutating func judge() {
    ok = sought.isEmpty ? failure == nil : sought.contains { failure?.message.hasPrefix($0) == true }
  }

  /// Adds a list of the steps and images that are not needed to reproduce the failure.
  mutating func add(_ smaller: SmallerScenario, of search: ScenarioSearch) {
    let locations = smaller.needlessSteps.map { step in
      let position = search.source.position(of: search.scenario.steps[step].range.lowerBound)
      return "\(file):\(position.line):\(position.column)"
    }
    failure?.needlessSteps = locations
    failure?.needlessImages = smaller.needlessImages
    text += "\n\n"
    text +=
      locations.isEmpty
      ? "Every step is necessary for the failure."
      : "The failure also occurs without the steps at \(locations.joined(separator: ", "))."
    if !smaller.needlessImages.isEmpty {
      text += "\nThe failure does not need the images \(smaller.needlessImages.map(quoted).joined(separator: ", "))."
    }
    guard !smaller.needlessSteps.isEmpty || !smaller.needlessImages.isEmpty else { return }
    if let smallest = search.text(withoutSteps: smaller.needlessSteps, images: smaller.needlessImages) {
      text += "\nThe smaller scenario:\n\n\(smallest)"
    }
  }

  // MARK: Report text

  /// The maximum number of outcomes that a report lists.
  private static let mostListed = 8

  var facts: String {
    var parts =
      statistics.schedules == 1
      ? ["1 schedule" + (failure == nil ? ", and it passes" : "")]
      : ["\(statistics.schedules) schedules" + (failure == nil ? ", none fails" : "")]
    if let bound = statistics.bound {
      let fact = Statistics.Bound(
        deviations: bound.deviations, schedules: bound.schedules, isEverything: bound.isEverything,
        isOfShard: shard != nil, levels: bound.levels)
      parts.append("\(fact)")
    }
    parts.append("\(Statistics.outcomes(statistics.outcomes)) outcome\(statistics.outcomes == 1 ? "" : "s")")
    if statistics.schedulesPerSecond > 0 { parts.append("\(statistics.schedulesPerSecond) schedules per second") }
    return parts.joined(separator: "; ")
  }

  /// Returns the commands that replay the failing schedule.
  func replayLines(_ failure: Failure) -> [String] {
    let command = { (token: String) in
      "  " + scenarioCommand("explore", file, strategy: strategy, "--replay", token)
    }
    let order = failure.orderToken.map { ["replay only the order, also after a repair:", command($0)] } ?? []
    return ["replay:", command(failure.token)] + order
  }

  /// Returns a sentence that states whether a smaller schedule exists.
  func sizeLine(_ failure: Failure) -> String {
    if failure.deviations == 0 {
      return "it fails even in first-in, first-out order:\n  "
        + scenarioCommand("run", file, strategy: strategy, "--timeline")
    }
    return failure.isMinimal
      ? "minimal: no schedule with fewer than \(failure.deviations.counted("deviation")) fails"
      : "\(failure.deviations) deviations; a smaller schedule was not ruled out"
  }

  /// Returns a line for each outcome, or an empty text if there is one or if there are too many to read.
  private static func list(_ outcomes: [String: Int]) -> String {
    guard 2...mostListed ~= outcomes.count else { return "" }
    return outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\n  \($0.value.counted("schedule")): \($0.key)" }.joined()
  }

  private func report(_ found: ExplorationFailure, _ violation: ScenarioOutcome.Failure?) -> String {
    guard let failure else { return facts }
    // A run that differs from the last one can fail in another way.
    let violation = violation?.message == found.finding.message ? violation : nil
    let place = violation.map { "\(file):\($0.line):\($0.column): " } ?? ""
    var lines = [place + found.finding.message]
    if let why = violation?.why { lines.append("  \(why)") }
    if let foundBy = found.foundBy {
      lines.append("found by \(foundBy) in schedule \(found.schedulesRun), seed \(found.seed)")
      lines.append(sizeLine(failure))
    }
    if !found.scheduleTable.isEmpty { lines += ["", found.scheduleTable] }
    if let pair = found.flippedPair { lines += ["", pair] }
    if let point = found.pointOfNoReturn { lines += ["", "\(point)"] }
    return (lines + [""] + replayLines(failure)).joined(separator: "\n")
  }
}

extension ExplorationOutcome.Failure {
  fileprivate init(_ failure: ExplorationFailure) {
    self.init(
      message: failure.finding.message, token: "\(failure.token)", orderToken: failure.orderToken.map { "\($0)" },
      deviations: failure.token.deviations.cost, isMinimal: failure.isMinimal, schedule: failure.schedulesRun,
      flippedPair: failure.flippedPair,
      pointOfNoReturn: failure.pointOfNoReturn.flatMap { point in
        point.jump.map { jump in
          let before = point.shares.last { $0.step < jump.step }?.failing ?? 0
          return ExplorationOutcome.Jump(step: jump.step, name: jump.name, before: before, after: jump.failing)
        }
      })
  }
}

/// Encodes the hashes that identify outcomes and schedules across the reports of all shards.
enum Digest {
  static func data(_ digests: [UInt64]) -> Data {
    digests.sorted().reduce(into: Data()) { data, digest in
      withUnsafeBytes(of: digest.littleEndian) { data.append(contentsOf: $0) }
    }
  }

  static func union(_ data: [Data]) -> Set<Data> {
    Set(data.flatMap { data in stride(from: 0, to: data.count, by: 8).map { Data(data.dropFirst($0).prefix(8)) } })
  }
}
