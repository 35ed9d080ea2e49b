/// An item that can run next.
public struct ReadyItem: Hashable, Sendable {
  /// The kind of an item.
  public enum Kind: Sendable, Hashable {
    /// A scheduled closure.
    case closure
    /// A job of a task.
    case job
    /// A closure whose gate has opened.
    case resumption
    /// A closure whose delay ends.
    case timer
    /// The completion of a network request: a timer of ``VirtualRuntime/network(_:)``.
    case completion
    /// A step of the user: a timer of ``VirtualRuntime/user``.
    case step
    /// The end of a `Task.sleep` of unmodified Swift code.
    case sleep
  }

  /// The scheduler on which the item runs.
  public let scheduler: SchedulerID
  /// The kind of the item.
  public let kind: Kind
  /// The sequence number, from 1, in the order in which items were scheduled.
  public let number: Int
  /// The end of the delay, or nil for an item without a delay.
  public let due: Duration?
  /// The number of the item that scheduled this one or opened its gate. Nil for an item that was scheduled outside the
  /// run.
  public let cause: Int?
  /// Identifies the item in every run of the same program. It is a hash of the identity of the item that scheduled it,
  /// and of the number of items that one had scheduled before.
  public let identity: UInt64
  /// The number of the item's causal chain. The first item that an item schedules continues its chain, and every other
  /// starts a new one. A closure that waited at a gate stays in its chain.
  public let chain: Int
}

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
    /// Another serial scheduler.
    case serial
  }

  /// The kind of scheduler.
  public let kind: Kind
  /// Identifies the scheduler in its runtime: 0 for main, 1 for the workers, 2 for the tasks. The serial schedulers
  /// follow in the order of their creation.
  public let number: Int
  /// The label of the scheduler.
  public let label: String

  var isSerial: Bool { kind == .main || kind == .serial }

  package static let main = SchedulerID(kind: .main, number: 0, label: "main")
  static let workers = SchedulerID(kind: .workers, number: 1, label: "workers")
  package static let tasks = SchedulerID(kind: .tasks, number: 2, label: "tasks")
  static let unknown = SchedulerID(kind: .serial, number: -1, label: "")
  static let standard = [main, workers, tasks]
}

/// An action of the running item that can affect other items.
public enum Touch: Hashable, Sendable {
  /// Schedules an item on a scheduler.
  case post(SchedulerID)
  /// Schedules an item of this kind with a delay.
  case delay(ReadyItem.Kind, SchedulerID)
  /// Reads the time.
  case clock
  /// Cancels the delayed item with this identity, whether it has run or not.
  case cancel(UInt64)
  /// Opens the gate with this number.
  case gate(Int)
  /// Declares with ``VirtualRuntime/touches(reading:writing:)`` that it reads this value.
  case read(String)
  /// Declares that it writes this value.
  case write(String)
  /// Has declared all of its accesses. An item without a declaration may access anything.
  case stated
  /// Depends on all other items: it waits at a gate, creates a scheduler or a gate, cancels an item that was scheduled
  /// outside the run, or had a delay under a slack.
  case other
}
