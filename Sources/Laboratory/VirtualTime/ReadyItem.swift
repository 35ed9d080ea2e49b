/// An item that can run next.
public struct ReadyItem: Hashable, Sendable {
  /// The kind of an item.
  public enum Kind: Sendable, Hashable {
    /// A scheduled closure.
    case closure
    /// A job of a task.
    case job
    /// A closure whose gate has opened, or the rest of an interrupted job.
    case resumption
    /// A closure whose delay has ended.
    case timer
    /// The completion of a network request, scheduled as a timer on ``VirtualRuntime/network(_:)``.
    case completion
    /// A step of the user, scheduled as a timer on ``VirtualRuntime/user``.
    case step
    /// The end of a `Task.sleep` in unmodified Swift code.
    case sleep
    /// The end of a `Task.sleep` of an explored test itself, which keeps its order with all other delays.
    case settling
  }

  /// The scheduler on which the item runs.
  public let scheduler: SchedulerID
  /// The kind of the item.
  public let kind: Kind
  /// The item's sequence number in scheduling order, counted from 1.
  public let number: Int
  /// The time at which the delay ends, or nil for an item without a delay.
  public let due: Duration?
  /// The number of the item that scheduled this one or opened its gate. Nil if the item was scheduled outside the run.
  public let cause: Int?
  /// The number of notes that the item named by ``cause`` had made when it scheduled this one.
  package let notesOfCause: Int
  /// Identifies the item in every run of the same program. It is a hash of the scheduling item's identity and of the
  /// number of items that it had scheduled before.
  public let identity: UInt64
  /// The number of the item's causal chain. The first item that an item schedules continues its chain, and each further
  /// item starts a new chain. A closure that waited at a gate stays in its chain.
  public let chain: Int
  /// Whether the item is the rest of an item that was interrupted, although it could have continued.
  package let isInterrupted: Bool
}

/// Identifies the scheduler of a virtual runtime on which an item runs.
public struct SchedulerID: Hashable, Sendable {
  /// The kind of scheduler.
  public enum Kind: Sendable, Hashable {
    /// The serial scheduler of the user interface.
    case main
    /// The concurrent scheduler, on the threads of its pool.
    case workers
    /// The executor of tasks, whose threads never block.
    case tasks
    /// Another serial scheduler.
    case serial
  }

  /// The kind of scheduler.
  public let kind: Kind
  /// Identifies the scheduler within its runtime: 0 for main, 1 for the workers, 2 for tasks. Serial schedulers follow
  /// in creation order.
  public let number: Int
  /// The scheduler's label.
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
  /// Reads the clock.
  case clock
  /// Cancels the delayed item with this identity, whether or not it has run.
  case cancel(UInt64)
  /// Opens the gate with this number.
  case gate(Int)
  /// Declares, with ``VirtualRuntime/touches(reading:writing:)``, that the item reads this value.
  case read(String)
  /// Declares that the item writes this value.
  case write(String)
  /// Declares that the item has listed all of its accesses. An item without a declaration may access anything.
  case stated
  /// Makes the item depend on all other items. The item waits at a gate, creates a scheduler or a gate, cancels an item
  /// scheduled outside the run, or had a delay while the timing allowed slack.
  case other
}
