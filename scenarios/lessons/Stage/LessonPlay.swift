public import ScheduleExplorer
public import VirtualTime

/// A variant of a lesson's program, running on the lesson's stage.
public struct LessonPlay: Sendable {
  /// Builds the program on a runtime, schedules the user's actions, and returns the check.
  public typealias Act = @Sendable (VirtualRuntime) throws -> () throws -> String

  /// The number of schedules that a solution must pass.
  public static let schedules = 1_500
  private static let maximumSteps = 2_000

  /// The lesson to which the program belongs.
  public let lesson: Lesson
  private let tried: Act
  private let act: Act

  /// - Parameters:
  ///   - tried: The author's test of the program, with exact timing, first in, first out. Every step must take effect
  ///     on time, so a repair that drops or delays the work does not pass.
  ///   - act: The run that the search explores.
  init(_ lesson: Lesson, tried: @escaping Act, act: @escaping Act) {
    self.lesson = lesson
    self.tried = tried
    self.act = act
  }

  /// Runs the author's test of the program.
  ///
  /// - Returns: The notes from the run, and its failure, which is nil if the program passes.
  public func tryOut() -> (diary: Diary, finding: Finding?) {
    let diary = Diary()
    let runtime = VirtualRuntime(pool: lesson.pool, maximumSteps: Self.maximumSteps, observer: diary.observer)
    defer { runtime.close() }
    do {
      let check = try tried(runtime)
      let end = runtime.run()
      if let stuck = Finding(end) { return (diary, stuck) }
      if let call = runtime.foreignSites.first { return (diary, Finding(.escape, "\(call)")) }
      _ = try check()
    } catch let finding as Finding {
      return (diary, finding)
    } catch {
      return (diary, Finding(.check, "\(error)"))
    }
    return (diary, nil)
  }

  /// Searches for a schedule that breaks the program. The failure is nil if no schedule breaks it.
  public func explore(schedules: Int = Self.schedules) -> (failure: ExplorationFailure?, figures: Statistics) {
    var explorer = explorer
    explorer.schedules = schedules
    let exploration = explorer.explore(judge)
    return (exploration.failure, exploration.statistics)
  }

  /// Runs the schedule that a token describes.
  ///
  /// - Throws: `ReplayMismatch` if the token does not match, unless `loosely` is true.
  public func replay(_ token: Token, loosely: Bool = false) throws(ReplayMismatch) -> ExplorationFailure? {
    try explorer.replay(token, loosely: loosely, judge).failure
  }

  private var explorer: Explorer {
    var explorer = Explorer()
    // The explorer does not explain the failure, because the lesson's text does.
    explorer.explaining = 0
    return explorer
  }

  /// Runs the explored program once, following a schedule.
  public func judge(_ schedule: Schedule) -> Verdict {
    let runtime = VirtualRuntime(
      pool: lesson.pool, timing: lesson.timing, maximumStepsAtOnce: Self.maximumSteps, maximumSteps: Self.maximumSteps,
      policy: schedule.policy, observer: schedule.observer)
    defer { runtime.close() }
    return ScheduleExplorer.judge(runtime, act)
  }
}
