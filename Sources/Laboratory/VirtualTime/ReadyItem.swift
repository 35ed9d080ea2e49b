/// One item that can run next.
public struct ReadyItem: Hashable, Sendable {
  /// What the item is.
  public enum Kind: Sendable, Hashable {
    /// A closure that was scheduled.
    case closure
    /// A job of a task.
    case job
    /// A closure that waited at a gate, which is open now.
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

  /// Where it runs.
  public let scheduler: SchedulerID
  /// What it is.
  public let kind: Kind
  /// Its sequence number: items are numbered from 1 in the order in which they were scheduled.
  public let number: Int
  /// When its delay ends, for what was scheduled with a delay.
  public let due: Duration?
  /// The number of the item that scheduled it, or that opened its gate. Nil for what was scheduled outside the run.
  public let cause: Int?
  /// Identifies the item in every run of the same program: made of the identity of the item that scheduled it, and of how
  /// many that one had scheduled before.
  public let identity: UInt64
  /// The number of its causal chain: the first item that an item schedules continues its chain, every other begins a new
  /// one, and a closure that waited at a gate stays in its own.
  public let chain: Int
}
