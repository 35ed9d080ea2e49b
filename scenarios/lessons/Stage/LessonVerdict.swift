// The C library declares `stdout` as a global variable.
@preconcurrency import Foundation
import ScheduleExplorer

/// The stage's verdict on a variant.
public struct LessonVerdict: Codable, Sendable {
  /// A description of the failure, or nil if the program passes.
  public let message: String?
  /// Whether the program failed the author's test, which runs before the search.
  public let failsAsTried: Bool
  /// The table of the failing schedule, or the notes from the author's test if that test failed.
  public let table: String
  /// The two items whose order determines whether the program fails.
  public let flippedPair: String?
  /// The token that replays the failing schedule.
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

  /// Whether the program passes.
  public var isSolved: Bool { message == nil }

  /// Runs the author's test and then searches for a schedule that breaks the program.
  public init(judging play: LessonPlay, schedules: Int = LessonPlay.schedules) {
    let (diary, finding) = play.tryOut()
    if let finding {
      message = finding.message
      (failsAsTried, table, flippedPair, token) = (true, "\(diary)", nil, nil)
      (deviations, isMinimal, self.schedules, bound) = (0, true, 1, nil)
      isEverything = false
      return
    }
    let (failure, figures) = play.explore(schedules: schedules)
    message = failure?.finding.message
    failsAsTried = false
    // The table of a replay does not omit any steps.
    table = failure.flatMap { try? play.replay($0.token) }?.scheduleTable ?? ""
    flippedPair = failure?.flippedPair
    token = failure.map { "\($0.token)" }
    deviations = failure?.token.deviations.cost ?? 0
    isMinimal = failure?.isMinimal ?? true
    self.schedules = figures.schedules
    bound = figures.bound?.plainText
    isEverything = figures.bound?.isEverything == true
  }
}

/// The entry point of the executable that `fetcher lesson solve` builds from a learner's file.
public enum LessonAttempt {
  /// Judges the variant and writes the verdict as JSON to the file that the first argument names.
  ///
  /// The standard output belongs to the variant. It is written line by line, so that a crash loses none of it.
  public static func main(_ play: LessonPlay) throws {
    setvbuf(stdout, nil, _IOLBF, 0)
    let verdict = LessonVerdict(judging: play)
    try JSONEncoder().encode(verdict).write(to: URL(filePath: CommandLine.arguments[1]))
  }
}
