import ScheduleExplorer

/// The stage's verdict on a variant.
public struct LessonVerdict: Codable, Sendable {
  /// A description of the failure, or nil if the program passes.
  public let message: String?
  /// Whether the program failed the author's test, or another run in order.
  public let failsAsTried: Bool
  /// The property of the generated run that failed. Nil if a run failed that the commands also show.
  public let generated: String?
  /// The table of the failing schedule, or the notes from a failed run in order.
  public let table: String
  /// The lines of the variant's file that belong to a failure.
  public struct Place: Codable, Sendable {
    /// The line that the failing run reached last. Nil if it is unknown.
    public let last: Int?
    /// The lines of the two items whose order decides, in ascending order. The items of the stage have none.
    public let pair: [Int]
  }

  /// The place of the failure in the variant's file. Nil if the program passes.
  public let place: Place?
  /// The two items whose order determines whether the program fails.
  public let flippedPair: String?
  /// The token that replays the failing schedule. Nil for a generated run.
  public let token: String?
  /// The number of deviations in the failing schedule.
  public let deviations: Int
  /// Whether no schedule with fewer deviations fails.
  public let isMinimal: Bool
  /// The number of schedules that ran.
  public let schedules: Int
  /// The bound up to which all schedules have run.
  public let bound: String?
  /// Whether every possible order of the items has run.
  public let isEverything: Bool
  /// The number of generated runs that the program passed.
  public let generatedRuns: Int
  /// The number of those in which the search interrupted items between their locks. If such a run failed, it counts too.
  public let interruptedRuns: Int

  /// Whether the program passes.
  public var isSolved: Bool { message == nil }

  /// Runs the author's test, searches for a schedule that breaks the program, and then does both with generated data.
  ///
  /// - Parameter seed: The seed of the generated data. The same seed leads to the same verdict.
  public init(judging play: LessonPlay, schedules: Int = LessonPlay.schedules, seed: UInt64 = 1) {
    let (diary, finding) = play.tryOut()
    if let finding {
      place = play.placeAsTried()
      (message, table) = Self.shortened(finding, diary.timed, place?.last)
      (failsAsTried, generated, flippedPair, token) = (true, nil, nil, nil)
      (deviations, isMinimal, self.schedules, bound) = (0, true, 1, nil)
      (isEverything, generatedRuns, interruptedRuns) = (false, 0, 0)
      return
    }
    let (failure, figures) = play.explore(schedules: schedules)
    self.schedules = figures.schedules
    bound = figures.bound?.plainText
    isEverything = figures.bound?.isEverything == true
    deviations = failure?.token.deviations.cost ?? 0
    isMinimal = failure?.isMinimal ?? true
    flippedPair = failure?.flippedPair
    token = failure.map { "\($0.token)" }
    if let failure {
      (failsAsTried, generated, generatedRuns, interruptedRuns) = (false, nil, 0, 0)
      place = play.place(failure)
      // The table of a replay does not omit any steps.
      let replayed = (try? play.replay(failure.token))?.scheduleTable ?? ""
      (message, table) = Self.shortened(failure.finding, replayed, place?.last)
      return
    }
    let runs = play.generated(seed)
    for (index, run) in runs.enumerated() {
      guard let (finding, table, place) = play.judge(run) else { continue }
      self.place = place
      (message, self.table) = Self.shortened(finding, table, place.last)
      (failsAsTried, generated, generatedRuns) = (run.kind == .inOrder, run.title, index)
      interruptedRuns = runs[...index].count { $0.kind == .interrupted }
      return
    }
    (message, place) = (nil, nil)
    (failsAsTried, generated, table, generatedRuns) = (false, nil, "", runs.count)
    interruptedRuns = runs.count { $0.kind == .interrupted }
  }

  private static let rowsOfLoop = 4

  /// Returns the message and the table of a failure. For an endless run, the message names the line, and the table
  /// omits repetitions.
  private static func shortened(_ finding: Finding, _ table: String, _ line: Int?) -> (message: String, table: String) {
    guard finding.kind == .livelock else { return (finding.message, table) }
    let message = "the program polls without end" + (line.map { ": line \($0) runs again and again" } ?? "")
    // A long table begins with an extract.
    var rows = table.split(separator: "\n").drop { $0 == "The decisive items:" }.prefix { $0 != "All items:" }
      .filter { !$0.hasPrefix("✗") }
    if rows.count > 2 * rowsOfLoop {
      rows = rows.prefix(rowsOfLoop) + ["        …"] + rows.suffix(rowsOfLoop)
    }
    return (message, rows.joined(separator: "\n"))
  }
}
