import Bytes

/// The result of a search.
public struct Exploration: Sendable, CustomStringConvertible {
  /// The first schedule that failed, as small as it could be made; nil if none did.
  public internal(set) var failure: ExplorationFailure?
  /// The items of a replay, whether it failed or passed. Empty for a search.
  public internal(set) var scheduleTable = ""
  /// Where a loose replay left its token: its end then says nothing about the schedule of the token. Nil if it followed it.
  public internal(set) var mismatch: ReplayMismatch?
  /// What the search did.
  public internal(set) var statistics: Statistics

  /// The failure, or the figures.
  public var description: String {
    failure.map { "\($0)" } ?? "\(passed)\n\(statistics)"
  }

  private var passed: String {
    switch statistics.schedules {
    case 0: "no schedule ran"
    case 1: "the schedule that ran passes"
    case let count: "none of the \(count) schedules that ran fails"
    }
  }
}

/// A schedule that breaks the program, as small as it could be made.
public struct ExplorationFailure: Error, Sendable {
  /// What is wrong with it.
  public internal(set) var finding: Finding
  /// How many schedules had run when it was found, itself included.
  public let schedulesRun: Int
  /// The search that found it; nil for a replay, and for what was found before the search.
  public let foundBy: Search?
  /// The seed of that search.
  public let seed: UInt64
  /// Replays it.
  public internal(set) var token: Token
  /// Replays the order that decides on other versions of the program as well. Nil where first in, first out
  /// fails, and where no order of items alone leads to the failure.
  public internal(set) var orderToken: Token?
  /// The schedule as it was found, before minimising.
  public let original: Deviations
  /// The call that replays it.
  package var replay = ReplayCall()
  /// Whether all schedules of lower cost have run, and none of them failed.
  public internal(set) var isMinimal = false
  /// `B before A fails; after it, passes`: the two items whose order decides between two schedules that ran, this one and one
  /// in which A comes first. Nil if first in, first out fails.
  public internal(set) var flippedPair: String?
  /// Each item of the schedule that ran, a column for each scheduler, in 120 characters at most. Deviations are marked.
  public internal(set) var scheduleTable = ""
  /// How many items the schedule table only counts: those that have no part in the failure.
  public internal(set) var foldedSteps = 0
  /// From where on the failure can hardly be averted. Nil without choices, and where the runs are too long to find out.
  public internal(set) var pointOfNoReturn: PointOfNoReturn?
  /// What the search did.
  public internal(set) var statistics = Statistics()
}

extension ExplorationFailure: CustomStringConvertible {
  /// The whole report.
  public var description: String {
    let cost = token.deviations.cost
    var lines = ["\(finding)"]
    if let foundBy {
      lines.append("found by \(foundBy) in schedule \(schedulesRun), seed \(seed)")
      if !scheduleTable.isEmpty { lines.append(size(cost)) }
    }
    if !scheduleTable.isEmpty { lines += ["", scheduleTable] }
    if let flippedPair { lines += ["", flippedPair] }
    if let pointOfNoReturn { lines += ["", "\(pointOfNoReturn)"] }
    if !scheduleTable.isEmpty { lines += ["", "Replay it with: \(replay.text(token))"] }
    if let orderToken {
      lines.append("The order alone, for the fixed code:")
      lines.append("  \(replay.text(orderToken))")
    }
    lines += ["", foundBy == nil ? NotVaried.line : "\(statistics)"]
    return lines.joined(separator: "\n")
  }

  private func size(_ cost: Int) -> String {
    if cost == 0 { return "It fails first in, first out." }
    if !isMinimal { return "\(cost) deviations; a smaller schedule was not ruled out." }
    return "Minimal: no schedule with fewer than \(cost.counted("deviation")) fails."
  }
}
