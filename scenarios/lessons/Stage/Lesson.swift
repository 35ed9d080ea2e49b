public import ScheduleExplorer
public import VirtualTime

/// What a lesson states about itself. Its text is in `lesson.md`, in its folder.
public struct Lesson: Sendable {
  /// `L03`.
  public let id: String
  /// The folder in `scenarios/lessons`.
  public let folder: String
  /// What it is about.
  public let theme: LessonTheme
  /// The type that `L03Broken.swift` declares.
  public let program: String
  /// The part of a line of the broken variant that the repair is about.
  public let guilty: String
  /// How exactly the stage keeps to due times.
  public let timing: Timing
  /// The threads of the stage's workers.
  public let pool: WorkerPool
  /// The fewest deviations from first in, first out that show the bug.
  public let deviations: Int
  /// Replays the smallest failing schedule of the broken variant.
  public let token: Token

  init(
    _ folder: String, _ theme: LessonTheme, program: String, guilty: String, timing: Timing = .any,
    pool: WorkerPool = .fixed(width: 4), deviations: Int, token: String
  ) {
    id = String(folder.prefix { $0 != "-" })
    self.folder = folder
    self.theme = theme
    self.program = program
    self.guilty = guilty
    self.timing = timing
    self.pool = pool
    self.deviations = deviations
    guard let token = Token(token) else { fatalError("\(folder) has no token, but “\(token)”") }
    self.token = token
  }
}

/// Lessons that belong together.
public enum LessonTheme: String, Sendable, CaseIterable {
  /// Which thread may touch what, and when a view may change.
  case views = "views and schedulers"
  /// Which answer belongs to which question.
  case identity = "identity and staleness"
  /// Ending what is under way.
  case cancellation = "cancellation"
  /// One thing that several want.
  case sharing = "sharing"
  /// Who hears of an event.
  case delivery = "delivery"
  /// Threads, and what holds them.
  case pools = "pools and blocking"
  /// Swift's own concurrency.
  case tasks = "actors and tasks"
  /// What a program bears, and how that is measured.
  case load = "load and measurement"
}
