import Foundation
import ScheduleExplorer

/// What the stage says of a variant.
public struct LessonVerdict: Codable, Sendable {
  /// What is wrong; nil for a program that survives.
  public let message: String?
  /// Whether it failed on the day on which its author tried it, before any search.
  public let failsAsTried: Bool
  /// The failing schedule, or what happened on that day.
  public let table: String
  /// The two items whose order decides.
  public let flippedPair: String?
  /// Replays the failing schedule.
  public let token: String?
  /// Of the failing schedule.
  public let deviations: Int
  /// Whether no schedule with fewer deviations fails.
  public let isMinimal: Bool
  /// How many schedules ran.
  public let schedules: Int
  /// Up to which deviations all of them ran.
  public let bound: String?
  /// Whether every order of whole items ran.
  public let isEverything: Bool

  /// Whether the program survives.
  public var isSolved: Bool { message == nil }

  /// Lets the author try the program, and then searches for a schedule that breaks it.
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
    // Of a replay, which leaves no step out.
    table = failure.flatMap { try? play.replay($0.token) }?.scheduleTable ?? ""
    flippedPair = failure?.flippedPair
    token = failure.map { "\($0.token)" }
    deviations = failure?.token.deviations.cost ?? 0
    isMinimal = failure?.isMinimal ?? true
    self.schedules = figures.schedules
    bound = figures.bound.map { "\($0)" }
    isEverything = figures.bound?.isEverything == true
  }
}

/// The program that `fetcher lesson solve` makes of a learner's file.
public enum LessonAttempt {
  /// Judges the variant, and prints the verdict as JSON.
  public static func main(_ play: LessonPlay) throws {
    let verdict = LessonVerdict(judging: play)
    print(String(decoding: try JSONEncoder().encode(verdict), as: UTF8.self))
  }
}
