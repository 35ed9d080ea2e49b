import Foundation
public import ScheduleExplorer
import VirtualTime

/// A variant of a lesson's program, running on the lesson's stage.
public struct LessonPlay: Sendable {
  /// Builds the program on a runtime, schedules the user's actions, and returns the check.
  typealias Act = @Sendable (VirtualRuntime, RunData) throws -> () throws -> String
  /// The same for a program in plain Swift, which `exploreSwift` runs. The check begins when no work is left.
  typealias PlainAct =
    @MainActor @Sendable (VirtualRuntime, RunData) async throws -> @MainActor () async throws -> String

  /// How a stage runs a program.
  enum Kind: Sendable {
    /// Once, with exact timing, first in, first out.
    case inOrder
    /// Under many schedules.
    case searched
    /// Under many schedules, in which other items also run between the locks of an item.
    case interrupted
  }

  /// A run that the commands do not show. It is part of the judgment only.
  struct Further: Sendable {
    fileprivate let title: String
    fileprivate let kind: Kind
    fileprivate let setting: Setting

    /// - Parameter title: The property of the run, for the report. It follows the word *with*.
    init(_ title: String, _ kind: Kind, _ act: @escaping Act) {
      (self.title, self.kind, setting) = (title, kind, .onRuntime(act))
    }

    init(_ title: String, plain kind: Kind, _ act: @escaping PlainAct) {
      (self.title, self.kind, setting) = (title, kind, .plain(act))
    }
  }

  fileprivate enum Setting: Sendable {
    case onRuntime(Act)
    case plain(PlainAct)
  }

  /// A run with generated data.
  struct Generated: Sendable {
    let title: String
    let kind: Kind
    fileprivate let setting: Setting
    fileprivate let data: RunData
  }

  /// The number of schedules that a solution must pass.
  public static let schedules = 1_500
  /// The number of schedules of each generated run that a solution must pass.
  static let schedulesOfGenerated = 150
  /// The same for a generated run in which items are interrupted. It has more orders.
  static let schedulesOfInterrupted = 400
  private static let maximumSteps = 2_000

  /// The lesson to which the program belongs.
  public let lesson: Lesson
  private let tried: Setting
  private let act: Setting
  private let isInterrupted: Bool
  private let further: [Further]

  /// - Parameters:
  ///   - tried: The author's test of the program, with exact timing, first in, first out. Every step must take effect
  ///     on time, so a repair that drops or delays the work does not pass.
  ///   - isInterrupted: Whether the checks of the explored run and of the further searched runs also hold if other
  ///     items run between the locks of an item.
  ///   - act: The run that the search explores.
  ///   - further: More runs with generated data.
  init(
    _ lesson: Lesson, isInterrupted: Bool = true, tried: @escaping Act, act: @escaping Act,
    further: () -> [Further] = { [] }
  ) {
    (self.lesson, self.isInterrupted) = (lesson, isInterrupted)
    (self.tried, self.act, self.further) = (.onRuntime(tried), .onRuntime(act), further())
    Self.hidesStage
  }

  /// Keeps the files of the stage out of the tables and out of the places of a failure.
  private static let hidesStage: Void = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let lessons = folder.deletingLastPathComponent().path + "/"
    SourceLine.setHarness { path in
      path.hasPrefix(folder.path + "/") || path.hasPrefix(lessons) && path.contains(/\/[LX][0-9]+\.swift$/)
    }
  }()

  /// The same for a lesson in plain Swift.
  init(
    plain lesson: Lesson, isInterrupted: Bool = true, tried: @escaping PlainAct, act: @escaping PlainAct,
    further: () -> [Further] = { [] }
  ) {
    (self.lesson, self.isInterrupted) = (lesson, isInterrupted)
    (self.tried, self.act, self.further) = (.plain(tried), .plain(act), further())
    Self.hidesStage
  }

  // MARK: The runs that the commands show

  /// Runs the author's test of the program.
  ///
  /// - Returns: The notes from the run, and its failure, which is nil if the program passes.
  public func tryOut() -> (diary: Diary, finding: Finding?) { runInOrder(tried, .shown) }

  /// Returns the place in the variant's file that the author's test reached last.
  func placeAsTried() -> LessonVerdict.Place { place(inOrder: tried, .shown) }

  /// Returns the place of a failure in the variant's file.
  func place(_ failure: ExplorationFailure) -> LessonVerdict.Place { place(failure, act, .shown) }

  /// Searches for a schedule that breaks the program. The failure is nil if no schedule breaks it.
  public func explore(schedules: Int = Self.schedules) -> (failure: ExplorationFailure?, figures: Statistics) {
    var explorer = explorer
    explorer.schedules = schedules
    return explore(act, .shown, explorer)
  }

  /// Runs the schedule that a token describes.
  ///
  /// - Throws: `ReplayMismatch` if the token does not match, unless `loosely` is true.
  public func replay(_ token: Token, loosely: Bool = false) throws -> ExplorationFailure? {
    switch act {
    case .onRuntime: return try explorer.replay(token, loosely: loosely, judge).failure
    case .plain(let act):
      do {
        try explorer.exploreSwift(
          timing: lesson.timing, maximumSteps: Self.maximumSteps, replaying: "\(token)", loosely: loosely,
          Self.body(act, .shown))
        return nil
      } catch let failure as ExplorationFailure {
        return failure
      }
    }
  }

  private var explorer: Explorer {
    var explorer = Explorer()
    // The explorer does not explain the failure, because the lesson's text does.
    explorer.explaining = 0
    // The lessons are about orders of whole jobs, and their tokens must not depend on hooks that only tests have.
    explorer.interruptsJobs = false
    explorer.numbersItems = true
    return explorer
  }

  /// Runs the explored program once, following a schedule.
  public func judge(_ schedule: Schedule) -> Verdict { judge(act, .shown, schedule) }

  // MARK: Generated runs

  /// The runs with other data than those that the commands show. If the program has reached points at which the search
  /// can interrupt it, they include runs in which it does.
  func generated(_ seed: UInt64) -> [Generated] {
    let every = RunData.generated(seed)
    let runs = every.flatMap { data in
      [
        Generated(title: "other names and sizes", kind: .inOrder, setting: tried, data: data),
        Generated(title: "other names and sizes", kind: .searched, setting: act, data: data),
      ]
        + further.map { further in
          Generated(title: further.title, kind: further.kind, setting: further.setting, data: data)
        }
    }
    // The runs in order are quick, so they come first.
    let searched = runs.filter { $0.kind == .searched }
    guard SwitchPoints.areReached else { return runs.filter { $0.kind == .inOrder } + searched }
    let interrupted = (isInterrupted ? searched : []).map { run in
      Generated(title: run.title, kind: .interrupted, setting: run.setting, data: run.data)
    }
    return runs.filter { $0.kind == .inOrder } + searched + interrupted + runs.filter { $0.kind == .interrupted }
  }

  /// Judges a generated run.
  ///
  /// - Returns: The failure, the table of its run, and its place in the variant's file, or nil if the program passes.
  func judge(_ run: Generated) -> (finding: Finding, table: String, place: LessonVerdict.Place)? {
    switch run.kind {
    case .inOrder:
      let (diary, finding) = runInOrder(run.setting, run.data)
      return finding.map { ($0, diary.timed, place(inOrder: run.setting, run.data)) }
    case .searched: return search(run, schedules: Self.schedulesOfGenerated)
    case .interrupted: return SwitchPoints.on { search(run, schedules: Self.schedulesOfInterrupted) }
    }
  }

  private func search(
    _ run: Generated, schedules: Int
  ) -> (finding: Finding, table: String, place: LessonVerdict.Place)? {
    var explorer = explorer
    explorer.schedules = schedules
    explorer.verifiesDeterminism = false
    return explore(run.setting, run.data, explorer).failure.map { failure in
      (failure.finding, failure.scheduleTable, place(failure, run.setting, run.data))
    }
  }

  // MARK: Runs

  private func runInOrder(_ setting: Setting, _ data: RunData) -> (diary: Diary, finding: Finding?) {
    let diary = Diary()
    return (diary, runInOrder(setting, data, diary.observer))
  }

  private func runInOrder(_ setting: Setting, _ data: RunData, _ observer: RunObserver) -> Finding? {
    let act: Act
    switch setting {
    case .onRuntime(let other): act = other
    case .plain(let act):
      let schedule = Schedule(policy: Schedule(replaying: Deviations()).policy, observer: observer)
      return judgeSwift(schedule, maximumSteps: Self.maximumSteps, Self.body(act, data)).finding
    }
    let runtime = VirtualRuntime(pool: lesson.pool, maximumSteps: Self.maximumSteps, observer: observer)
    defer { runtime.close() }
    do {
      let check = try act(runtime, data)
      let end = runtime.run()
      if let stuck = Finding(end) { return stuck }
      if let call = runtime.foreignSites.first { return Finding(.escape, "\(call)") }
      _ = try check()
    } catch let finding as Finding {
      return finding
    } catch {
      return Finding(.check, "\(error)")
    }
    return nil
  }

  private func place(
    _ failure: ExplorationFailure, _ setting: Setting, _ data: RunData
  ) -> LessonVerdict.Place {
    let run = RecordedRun(failure.token.deviations, recordsCallers: true) { judge(setting, data, $0) }
    // The cause of an endless loop is the loop itself.
    let isDecided = failure.flippedPair != nil && failure.finding.kind != .livelock
    let pair = isDecided ? Set(run.linesOfLastPair.map(\.number)).sorted() : []
    return LessonVerdict.Place(last: run.lastLine, pair: pair)
  }

  private func place(inOrder setting: Setting, _ data: RunData) -> LessonVerdict.Place {
    let run = RecordedRun(Deviations()) { schedule in
      switch setting {
      case .plain(let act): judgeSwift(schedule, maximumSteps: Self.maximumSteps, Self.body(act, data))
      case .onRuntime: Verdict(finding: runInOrder(setting, data, schedule.observer))
      }
    }
    return LessonVerdict.Place(last: run.lastLine, pair: [])
  }

  private func explore(
    _ setting: Setting, _ data: RunData, _ explorer: Explorer
  ) -> (failure: ExplorationFailure?, figures: Statistics) {
    switch setting {
    case .onRuntime:
      let exploration = explorer.explore { judge(setting, data, $0) }
      return (exploration.failure, exploration.statistics)
    case .plain(let act):
      do {
        let exploration = try explorer.exploreSwift(
          timing: lesson.timing, maximumSteps: Self.maximumSteps, Self.body(act, data))
        return (nil, exploration.statistics)
      } catch let failure as ExplorationFailure {
        return (failure, failure.statistics)
      } catch {
        fatalError("The author's test passed, but the search cannot start: \(error)")
      }
    }
  }

  private func judge(_ setting: Setting, _ data: RunData, _ schedule: Schedule) -> Verdict {
    switch setting {
    case .onRuntime(let act):
      let runtime = VirtualRuntime(
        pool: lesson.pool, timing: lesson.timing, maximumStepsAtOnce: Self.maximumSteps,
        maximumSteps: Self.maximumSteps, policy: schedule.policy, observer: schedule.observer)
      defer { runtime.close() }
      return SwitchPoints.using(runtime) { ScheduleExplorer.judge(runtime) { try act($0, data) } }
    case .plain(let act):
      // The policy may wait for a user's choice.
      return judgeSwift(
        schedule, timing: lesson.timing, maximumSteps: Self.maximumSteps, timeout: .seconds(86_400),
        Self.body(act, data))
    }
  }

  private static func body(_ act: @escaping PlainAct, _ data: RunData) -> @Sendable () async throws -> String {
    { @MainActor in
      let runtime = exploredRuntime
      let check = try await act(runtime, data)
      await untilIdle()
      runtime.note("check")
      return try await check()
    }
  }
}

extension RecordedRun {
  /// The line of the variant's file that the run reached last, or nil if it is unknown.
  fileprivate var lastLine: Int? {
    for step in steps.reversed() {
      if let mark = step.marks.last(where: { $0.fileID?.hasPrefix("Lessons/") == false }) { return mark.line }
      if let line = step.line { return line.number }
    }
    return nil
  }
}
