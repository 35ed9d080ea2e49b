import CommandLineTool
import Foundation
import PlainText
import ScenarioEngine
import ScheduleExplorer

/// The results of one `fetcher explore` command, in their JSON form.
struct ExplorationResults: Codable {
  let runs: [ExplorationOutcome]

  init(runs: [ExplorationOutcome]) { self.runs = runs }

  /// - Throws: a failure with code 4 if the file cannot be read or is not a report.
  init(path: String) throws(CommandFailure) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw .cannotStart("\(path): the report cannot be read: \(FileFailure.reason(error))")
    }
    guard let results = try? JSONDecoder().decode(Self.self, from: data) else {
      throw .cannotStart("--merge: \(path) is not a report; --merge reads the output of `fetcher explore --json`")
    }
    self = results
  }

  /// Merges the reports of shards into one report for each search.
  ///
  /// - Throws: a failure with code 4 if a shard is missing, was passed twice, or belongs to another search.
  static func merge(_ reports: [ExplorationResults]) throws(CommandFailure) -> ExplorationResults {
    var (order, parts) = ([[String]](), [[String]: [ExplorationOutcome]]())
    for run in reports.flatMap(\.runs) {
      let key = [run.file, run.scenario, run.strategy, run.variant]
      if parts[key] == nil { order.append(key) }
      parts[key, default: []].append(run)
    }
    return ExplorationResults(
      runs: try order.map { (key) throws(CommandFailure) in try merged(parts[key] ?? []) })
  }

  private static func merged(_ parts: [ExplorationOutcome]) throws(CommandFailure) -> ExplorationOutcome {
    var whole = parts[0]
    let shards = parts.map { $0.shard.flatMap(Shard.init) ?? .whole }
    let numbers = shards.map(\.number).sorted()
    guard Set(shards.map(\.count)).count == 1, numbers == Array(1...shards[0].count) else {
      let given = parts.map { $0.shard ?? "1/1" }.sorted().joined(separator: ", ")
      throw .cannotStart(
        "\(whole.file), \(whole.strategy), \(whole.variant): the reports cover the shards \(given); pass one report for each shard"
      )
    }
    let searches = Set(parts.map { "\($0.search ?? "unknown") with seed \($0.seed ?? 0)" })
    guard searches.count == 1 else {
      throw .cannotStart(
        "\(whole.file), \(whole.strategy), \(whole.variant): the reports come from different searches: "
          + searches.sorted().joined(separator: ", ") + "; create all of them with the same flags")
    }
    whole.notVaried = NotVaried.page
    guard parts.count > 1 else { return whole }
    whole.shard = nil
    whole.digests = nil
    whole.failure = parts.compactMap(\.failure).min { $0.comesBefore($1) }
    whole.statistics.schedules = parts.reduce(0) { $0 + $1.statistics.schedules }
    whole.statistics.failing = parts.reduce(0) { $0 + $1.statistics.failing }
    whole.statistics.schedulesPerSecond = parts.reduce(0) { $0 + $1.statistics.schedulesPerSecond }
    whole.statistics.distinctSchedules = Digest.union(parts.compactMap(\.digests?.schedules)).count
    whole.statistics.outcomes = Digest.union(parts.compactMap(\.digests?.outcomes)).count
    whole.statistics.bound = ExplorationOutcome.Bound(merging: parts.map(\.statistics.bound))
    whole.judge()
    var lines = [whole.facts]
    if let failure = whole.failure {
      lines = [failure.message, whole.sizeLine(failure), whole.facts]
      if let pair = failure.flippedPair { lines.append(pair) }
      lines += [""] + whole.replayLines(failure)
    }
    whole.text = lines.joined(separator: "\n")
    return whole
  }
}

extension ExplorationOutcome.Failure {
  /// Returns whether a search without shards would find this failure before the other one.
  fileprivate func comesBefore(_ other: Self) -> Bool {
    guard let one = Token(token), let two = Token(other.token) else { return false }
    return one.deviations.precedes(two.deviations)
  }
}

extension ExplorationOutcome.Bound {
  /// Creates the bound that all shards have reached. Returns nil if the search of any shard was not exhaustive.
  fileprivate init?(merging bounds: [Self?]) {
    let all = bounds.compactMap { $0 }
    guard all.count == bounds.count, !all.isEmpty else { return nil }
    let open = all.filter { !$0.isEverything }
    deviations = open.map(\.deviations).min() ?? all.map(\.deviations).max() ?? 0
    isEverything = open.isEmpty
    let count = all.map(\.levels.count).max() ?? 0
    levels = (0..<min(count, deviations + 1)).map { level in
      all.reduce(0) { $0 + (level < $1.levels.count ? $1.levels[level] : 0) }
    }
    schedules = levels.reduce(0, +)
  }
}
