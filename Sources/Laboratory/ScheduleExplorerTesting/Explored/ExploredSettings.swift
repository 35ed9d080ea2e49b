import Foundation
import ScheduleExplorer
import VirtualTime

/// The settings of a search over a test.
struct ExploredSettings: Sendable, Equatable {
  /// Nil for delays in any order, except the sleeps of the test's own task.
  var timing: Timing?
  var schedules: Int
  var time: Duration
  var seed: UInt64
  var search: Search
  var shard = Shard.whole

  /// The settings after the environment variables have changed them.
  func changed(by environment: ExploredEnvironment) -> Self {
    var changed = self
    if environment.mode == .virtual { (changed.timing, changed.search) = (.exact, .fifo) }
    if let schedules = environment.schedules { changed.schedules = schedules }
    if let seconds = environment.seconds { changed.time = .seconds(seconds) }
    if let seed = environment.seed { changed.seed = seed }
    if let shard = environment.shard { changed.shard = shard }
    return changed
  }
}

/// The environment variables that change a search without a change to the code.
struct ExploredEnvironment: Sendable {
  enum Mode: String, CaseIterable, Sendable { case off, virtual, search }

  private(set) var mode = Mode.search
  private(set) var schedules: Int?
  private(set) var seconds: Int?
  private(set) var seed: UInt64?
  private(set) var shard: Shard?
  /// A token to replay instead of searching.
  private(set) var replay: String?
  /// Whether failing orders are stored. Never on a build server.
  private(set) var records = true
  /// The folder for failing orders, or nil for `.explored` in the package.
  private(set) var orders: String?
  /// The folder for complete reports.
  private(set) var report: String?
  /// Whether the findings are printed as annotations of GitHub Actions.
  private(set) var annotates = false
  /// The file for the summary of a step of GitHub Actions.
  private(set) var summary: String?
  /// One sentence for each variable that has no valid value.
  private(set) var problems: [String] = []

  static let current = Self(ProcessInfo.processInfo.environment)

  init(_ variables: [String: String]) {
    func value<Value>(_ name: String, _ form: String, _ parse: (String) -> Value?) -> Value? {
      guard let text = variables[name], !text.isEmpty else { return nil }
      if let value = parse(text) { return value }
      problems.append("\(name) is “\(text)”, but must be \(form).")
      return nil
    }
    func positive(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }
    mode = value("EXPLORE", "off, virtual or search", Mode.init) ?? .search
    schedules = value("EXPLORE_SCHEDULES", "a number above zero", positive)
    seconds = value("EXPLORE_SECONDS", "a whole number above zero", positive)
    seed = value("EXPLORE_SEED", "a number") { UInt64($0) }
    shard = value("EXPLORE_SHARD", "a part such as 2/8") { Shard($0) }
    replay = value("EXPLORE_REPLAY", "a token from a report") { Token($0)?.description }
    let isServer = variables["CI"].map { !["", "0", "false"].contains($0.lowercased()) } ?? false
    let record = variables["EXPLORE_RECORD"] ?? ""
    records = record != "off" && !isServer
    orders = record.isEmpty || record == "off" ? nil : record
    report = variables["EXPLORE_REPORT"].flatMap { $0.isEmpty ? nil : $0 }
    annotates = variables["GITHUB_ACTIONS"] == "true"
    summary = variables["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
