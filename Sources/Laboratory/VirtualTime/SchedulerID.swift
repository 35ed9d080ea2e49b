/// Names the scheduler of a virtual runtime on which an item runs.
public struct SchedulerID: Hashable, Sendable {
  /// The kind of scheduler.
  public enum Kind: Sendable, Hashable {
    /// The serial scheduler of the user interface.
    case main
    /// The concurrent scheduler, on the threads of its pool.
    case workers
    /// The executor of the tasks, whose threads never block.
    case tasks
    /// A serial scheduler of its own.
    case serial
  }

  /// The kind of scheduler.
  public let kind: Kind
  /// Identifies the scheduler in its runtime: 0 for main, 1 for the workers, 2 for the tasks, then in the order in which the
  /// serial schedulers were made.
  public let number: Int
  /// The name that the scheduler was made with.
  public let label: String

  var isSerial: Bool { kind == .main || kind == .serial }

  package static let main = SchedulerID(kind: .main, number: 0, label: "main")
  static let workers = SchedulerID(kind: .workers, number: 1, label: "workers")
  package static let tasks = SchedulerID(kind: .tasks, number: 2, label: "tasks")
  static let unknown = SchedulerID(kind: .serial, number: -1, label: "")
  static let standard = [main, workers, tasks]
}
