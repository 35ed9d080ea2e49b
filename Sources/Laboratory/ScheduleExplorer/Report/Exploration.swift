import PlainText

/// The result of a search.
public struct Exploration: Sendable, CustomStringConvertible {
  /// The first failing schedule, minimized, or nil if none failed.
  public internal(set) var failure: ExplorationFailure?
  /// The items of a replay, whether it passed or failed. Empty for a search.
  public internal(set) var scheduleTable = ""
  /// The point at which a loose replay departed from its token, or nil if it followed the token. If the replay
  /// departed, its result does not apply to the token's schedule.
  public internal(set) var mismatch: ReplayMismatch?
  /// The statistics of the search.
  public internal(set) var statistics: Statistics

  /// The failure report, or the statistics.
  public var description: String {
    failure.map { "\($0)" } ?? "\(passed)\n\(statistics)"
  }

  private var passed: String {
    switch statistics.schedules {
    case 0: "no schedule ran"
    case 1: "the schedule that ran passes"
    case let count: "none of the \(count) schedules failed"
    }
  }
}

/// A minimized schedule that breaks the program.
public struct ExplorationFailure: Error, Sendable {
  /// The failure.
  public internal(set) var finding: Finding
  /// The number of schedules that ran, up to and including this one.
  public let schedulesRun: Int
  /// The search algorithm that found the failure. Nil for a replay, and for a failure before the search.
  public let foundBy: Search?
  /// The seed of that search.
  public let seed: UInt64
  /// The token that replays this schedule.
  public internal(set) var token: Token
  /// The token that replays the order, even on other versions of the program. Nil if the first-in, first-out schedule
  /// fails, or if no order of items alone causes the failure, but also certain random numbers.
  public internal(set) var orderToken: Token?
  /// The schedule that was found, before minimizing.
  public let original: Deviations
  /// The call that replays this schedule, or nil for a test, which a command replays.
  package var replay: ReplayCall? = ReplayCall()
  /// Every schedule with fewer deviations than this has run and passed.
  public internal(set) var leastDeviations = 0
  /// Whether all schedules of lower cost have run and passed.
  public var isMinimal: Bool { leastDeviations >= token.deviations.cost && foundBy != nil }
  /// `Fails if B runs before A; passes if after.`: the two items whose order distinguishes a failing schedule that ran
  /// from a passing one. This schedule is the failing one. In the passing one, A runs first. Nil if the first-in,
  /// first-out schedule fails.
  public package(set) var flippedPair: String?
  /// The source lines of these two items, if they are known.
  package internal(set) var pairLines: [SourceLine] = []
  /// A row for each item of the schedule, with a column for each scheduler, in at most 120 characters. Deviations are
  /// marked.
  public internal(set) var scheduleTable = ""
  /// The number of irrelevant items, which the schedule table counts but does not list.
  public internal(set) var foldedSteps = 0
  /// The point after which the failure is almost certain. Nil if the run has no choices or is too long.
  public internal(set) var pointOfNoReturn: PointOfNoReturn?
  /// The statistics of the search.
  public internal(set) var statistics = Statistics()
}

extension String {
  fileprivate var withoutControls: String {
    String(map { $0 != "\n" && $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
  }
}

extension ExplorationFailure: CustomStringConvertible {
  /// The complete report.
  public var description: String {
    let cost = token.deviations.cost
    // A terminal would interpret control characters.
    var lines = [finding.message.withoutControls]
    if let foundBy {
      lines.append("found by \(foundBy) in schedule \(schedulesRun), seed \(seed)")
      if !scheduleTable.isEmpty { lines.append(size(cost)) }
    }
    if !scheduleTable.isEmpty { lines += ["", scheduleTable] }
    if let flippedPair { lines += ["", flippedPair] }
    if let pointOfNoReturn { lines += ["", "\(pointOfNoReturn)"] }
    if !scheduleTable.isEmpty, let replay { lines += ["", "Replay this schedule with: \(replay.text(token))"] }
    if let orderToken, let replay {
      lines.append("Replay only the order, for example with the fixed code:")
      lines.append("  \(replay.text(orderToken))")
    }
    lines += ["", foundBy == nil ? NotVaried.line : "\(statistics)"]
    return lines.joined(separator: "\n")
  }

  /// The random numbers to which a statement about the schedule applies.
  package var numbers: String { token.deviations.randomSeed == 0 ? "" : ", with the random numbers of this run" }

  private func size(_ cost: Int) -> String {
    if cost == 0 { return "It fails in first-in, first-out order\(numbers)." }
    if !isMinimal {
      return """
        \(cost.counted("deviation")); a smaller schedule was not ruled out, but it has at least \
        \(leastDeviations.counted("deviation")).
        """
    }
    return "Minimal: no schedule with fewer than \(cost.counted("deviation")) fails\(numbers)."
  }
}
