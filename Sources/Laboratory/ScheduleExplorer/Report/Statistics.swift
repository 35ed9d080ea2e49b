import PlainText
import SeededNumbers

/// The statistics of a search.
public struct Statistics: Sendable {
  /// The minimum, the mean and the maximum of a series of values.
  public struct Spread: Sendable, CustomStringConvertible {
    private var count = 0
    private var sum = 0
    /// The minimum.
    public private(set) var least = 0
    /// The maximum.
    public private(set) var most = 0

    /// The mean, or zero if there are no values.
    public var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

    init() {}

    mutating func add(_ value: Int) {
      least = count == 0 ? value : min(least, value)
      most = max(most, value)
      count += 1
      sum += value
    }

    /// All three values, as in `3 / 4.5 / 6`.
    public var description: String { "\(least) / \((mean * 10).rounded() / 10) / \(most)" }
  }

  /// The guaranteed part of the result of a bounded search.
  public struct Bound: Sendable, Equatable {
    /// The largest number of deviations for which all schedules have run.
    public var deviations: Int
    /// The number of schedules with at most that many deviations in this shard.
    public var schedules: Int
    /// Whether every order of whole items has run in this shard. The order within an item does not count.
    public var isEverything: Bool
    /// Whether this is only one of several shards.
    package var isOfShard: Bool
    /// The number of schedules, indexed by their number of deviations.
    package var levels: [Int]
    /// The plural noun for the units that the search orders.
    package let unit: String
    /// Whether sleeps ended exactly when they were due, so that later ends did not run.
    var hasExactSleeps = false
    /// Whether other code ran that the search did not order.
    var isLimited = false

    package init(
      deviations: Int, schedules: Int, isEverything: Bool, isOfShard: Bool, levels: [Int], unit: String = "whole items"
    ) {
      self.unit = unit
      self.isOfShard = isOfShard
      self.deviations = deviations
      self.schedules = schedules
      self.isEverything = isEverything
      self.levels = levels
    }
  }

  /// The result of an exhaustive search.
  public struct Reduction: Sendable, Equatable {
    /// The number of schedules that ran. Each represents all schedules that differ from it only in the order of
    /// independent items.
    public internal(set) var classes = 0
    /// The number of schedules whose class had already run.
    public internal(set) var redundant = 0
    /// The number of test swaps of independent neighbors. Each swap verifies that the run still ends in the same way.
    public internal(set) var audited = 0
    /// Describes two items that are declared independent but are not. If there are such items, the search runs all
    /// schedules, within its budget.
    public internal(set) var lie: String?
    /// Whether every class of orders of whole items has run.
    public internal(set) var isEverything = false
    /// The plural noun for the units that the search orders.
    var unit = "whole items"
  }

  private static let maximumRemembered = 100_000
  private static let maximumOutcomes = 1000

  /// The number of schedules that ran.
  public internal(set) var schedules = 0
  /// The number of failing schedules.
  public internal(set) var failing = 0
  /// The number of different schedules. Schedules beyond the first 100,000 are not counted.
  public var distinctSchedules: Int { seen.count }
  /// The number of schedules for each outcome. Outcomes beyond the first 1,000 are not counted.
  public internal(set) var outcomes: [String: Int] = [:]
  /// The number of choices between several items, per schedule.
  public internal(set) var choices = Spread()
  /// The number of items per schedule.
  public internal(set) var steps = Spread()
  /// The progress of the bounded search, or nil if none ran.
  public internal(set) var bound: Bound?
  /// The result of the exhaustive search, or nil for any other search.
  public internal(set) var reduction: Reduction?
  /// The number of possible schedules, estimated from the random ones. The estimate is unbiased, but for large programs
  /// it is often far too low. Few random schedules reach the regions that contain most schedules. Nil if no random
  /// schedule ran.
  public var estimatedSchedules: Double? { estimate.mean }
  var estimate = SizeEstimate()
  /// The plural noun for the units that the search orders.
  var unit = "whole items"
  /// The limits of this search in particular.
  package internal(set) var remarks: [String] = []
  /// Whether the explored code drew random numbers. If so, each random schedule has random numbers of its own, and all
  /// others share a sequence of them.
  public internal(set) var drawsNumbers = false
  /// The duration of the search in real time.
  public internal(set) var duration = Duration.zero
  /// The time from the start to the first failure, or nil if there was none.
  public internal(set) var timeToFirstFailure: Duration?
  /// The identities of the different schedules, used to merge shards.
  package private(set) var seen: Set<UInt64> = []

  /// The number of schedules per second of real time.
  public var schedulesPerSecond: Double { duration == .zero ? 0 : Double(schedules) / (duration / .seconds(1)) }

  /// The share of schedules that failed.
  public var failingShare: Double { schedules == 0 ? 0 : Double(failing) / Double(schedules) }

  init() {}

  mutating func add(_ verdict: Verdict, _ schedule: Deviations, choices count: Int) {
    schedules += 1
    choices.add(count)
    steps.add(verdict.steps)
    if verdict.finding != nil { failing += 1 }
    if verdict.drawsNumbers { drawsNumbers = true }
    let outcome = verdict.finding?.message ?? verdict.outcome
    if outcomes.count < Self.maximumOutcomes || outcomes[outcome] != nil { outcomes[outcome, default: 0] += 1 }
    guard seen.count < Self.maximumRemembered else { return }
    var hash = UInt64(schedule.randomSeed)
    for deviation in schedule.list {
      hash = SplitMix64.scatter(hash &+ UInt64(deviation.choice) << 32 &+ UInt64(deviation.index))
    }
    seen.insert(hash)
  }
}

extension Statistics {
  /// Adds what this search did not vary.
  ///
  /// - Parameter isLimited: whether the explored code started work that the search did not order.
  mutating func add(remarks: [String], hasExactSleeps: Bool, isLimited: Bool) {
    self.remarks += remarks
    bound?.hasExactSleeps = hasExactSleeps
    if isLimited { bound?.isLimited = true }
  }
}

extension Statistics: CustomStringConvertible {
  /// One line per statistic, and a final line that names the page about what a search does not vary.
  public var description: String {
    var lines = [
      "schedules  \(schedules), \(distinct) distinct, \(failing) failing",
      "outcomes   \(Self.outcomes(outcomes.count))",
      "choices    \(choices) (minimum, mean, maximum)",
      "items      \(steps)",
    ]
    if let reduction { lines.append("classes    \(reduction)") }
    if let bound { lines.append("bound      \(bound)") }
    if let estimateText { lines.append("in all     \(estimateText)") }
    lines.append("speed      \(Int(schedulesPerSecond)) schedules per second")
    if let timeToFirstFailure { lines.append("found      after \(milliseconds(timeToFirstFailure)) ms") }
    if drawsNumbers {
      lines.append("numbers    random schedules draw numbers of their own; the others share a sequence")
    }
    lines += remarks.map { "not varied \($0)" }
    lines.append(NotVaried.line)
    return lines.joined(separator: "\n")
  }

  private var distinct: String { Self.counted(distinctSchedules, Self.maximumRemembered) }

  /// The count as text. A count that has reached its limit is printed as a lower bound.
  private static func counted(_ count: Int, _ most: Int) -> String { count < most ? "\(count)" : "at least \(count)" }

  /// The number of outcomes, as text for a report.
  package static func outcomes(_ count: Int) -> String { counted(count, maximumOutcomes) }

  /// The estimated number of orders, or nil if it is unknown or if all orders have run.
  package var estimateText: String? {
    guard let mean = estimate.mean, bound?.isEverything != true, mean > Double(schedules) else { return nil }
    return "\(estimate) orders of \(unit)"
  }

  private func milliseconds(_ duration: Duration) -> Int { Int((duration / .milliseconds(1)).rounded(.up)) }
}

extension Statistics.Bound: CustomStringConvertible {
  /// The result as text: `all 561 orders of whole items with at most 3 deviations`.
  public var description: String { text(of: unit) }

  /// The same text without the term *whole*, for reports that explain it in another way.
  package var plainText: String {
    isEverything && !isOfShard && schedules == 1 ? "the only possible order" : text(of: "the \(unit.noun)")
  }

  private func text(of items: String) -> String {
    let sleeps = hasExactSleeps ? ", with exact sleeps" : ""
    if isEverything, !isOfShard, !isLimited, schedules == 1 { return "the only order of \(items)\(sleeps)" }
    let count = schedules == 1 ? "1 order" : "\(isLimited ? "" : "all ")\(schedules) orders"
    let all = "\(count) of \(items)\(isOfShard ? " in this shard" : "")"
    return (isEverything ? all : "\(all) with at most \(deviations.counted("deviation"))") + sleeps
  }
}

extension String {
  /// The units without the word *whole*.
  fileprivate var noun: String { replacing("whole ", with: "") }
}

extension Statistics.Reduction: CustomStringConvertible {
  /// The result as text: `all orders of whole items, reduced to 84 classes by what the items declare`.
  public var description: String {
    if let lie { return lie }
    let count = classes.counted("class", "classes")
    let work = redundant == 0 ? "" : "; \(redundant) schedules were redundant"
    return
      (isEverything
      ? "all orders of \(unit), reduced to \(count) by what the \(unit.noun) declare" : "\(count); more may exist")
      + work
  }
}

/// Estimates the number of schedules as in "Estimating the Efficiency of Backtrack Programs" (Knuth, Mathematics of
/// Computation, 1975). On average, the product of the item counts at all choices of a random run equals the number of
/// schedules.
package struct SizeEstimate: Sendable, CustomStringConvertible {
  private var runs = 0
  private var sum = 0.0

  /// Creates an estimate to which no schedules have been added.
  package init() {}

  /// The estimate. Nil if no schedule was added, and infinite above 10 to the power of 308.
  var mean: Double? { runs == 0 ? nil : sum / Double(runs) }

  /// Adds the schedule of a random run.
  ///
  /// - Parameter counts: the number of items at each choice.
  package mutating func add(_ counts: [Int]) {
    runs += 1
    sum += counts.reduce(1) { $0 * Double($1) }
  }

  /// The estimate as text, such as `about 3·10^12`.
  package var description: String {
    guard var rest = mean else { return "an unknown number of" }
    guard rest.isFinite else { return "more than 10^300" }
    var power = 0
    while rest >= 9.5 { (rest, power) = (rest / 10, power + 1) }
    return "about \(rest < 1.5 ? "" : "\(Int(rest.rounded()))·")10^\(power)"
  }
}

/// The last line of every report. It names the page that lists what a search does not vary.
package enum NotVaried {
  /// The page that lists what no search varies. It belongs to the explorer's documentation in
  /// `Sources/Laboratory/ScheduleExplorer`.
  package static let page = "ScheduleExplorer.docc/WhatItCannotFind.md"
  /// The line that names the page, in 80 columns.
  package static let line = "what the search does not vary: \(page)"
}
