import PlainText
public import ScheduleExplorer
public import VirtualTime

/// The properties of a lesson. The lesson's text is in `lesson.md` in its folder.
public struct Lesson: Sendable {
  /// The lesson's name, such as `L03`.
  public let id: String
  /// The lesson's folder in `scenarios/lessons`.
  public let folder: String
  /// The lesson's theme.
  public let theme: LessonTheme
  /// The type that a variant such as `L03Broken.swift` declares.
  public let program: String
  /// Part of the line that the repair changes in the broken variant.
  public let guilty: String
  /// Whether the program is plain Swift, which `exploreSwift` runs. Otherwise it uses the runtime.
  public let isPlain: Bool
  /// How strictly the stage keeps to due times.
  public let timing: Timing
  /// The stage's worker threads.
  public let pool: WorkerPool
  /// The minimum number of deviations from first in, first out that shows the bug.
  public let deviations: Int
  /// The token that replays the smallest failing schedule of the broken variant.
  public let token: Token

  init(
    _ folder: String, _ theme: LessonTheme, program: String, guilty: String, isPlain: Bool = false,
    timing: Timing = .any, pool: WorkerPool = .fixed(width: 4), deviations: Int, token: String
  ) {
    id = String(folder.prefix { $0 != "-" })
    self.folder = folder
    self.theme = theme
    self.program = program
    self.guilty = guilty
    self.isPlain = isPlain
    self.timing = timing
    self.pool = pool
    self.deviations = deviations
    guard let token = Token(token) else { fatalError("\(folder) has an invalid token: “\(token)”") }
    self.token = token
  }
}

/// A group of lessons about one subject.
public enum LessonTheme: String, Sendable, CaseIterable {
  /// The rules for when a view may change, and on which thread.
  case views = "views and schedulers"
  /// Matching responses to requests.
  case identity = "identity and staleness"
  /// Cancelling work in flight.
  case cancellation = "cancellation"
  /// Sharing one result among several callers.
  case sharing = "sharing"
  /// The set of handlers that receive an event.
  case delivery = "delivery"
  /// Threads and the work that blocks them.
  case pools = "pools and blocking"
  /// Swift concurrency with actors and tasks.
  case tasks = "actors and tasks"
  /// The load that a program can handle, and ways to measure it.
  case load = "load and measurement"
}
