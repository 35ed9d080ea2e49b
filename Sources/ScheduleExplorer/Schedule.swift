public import VirtualTime

/// What a program needs to run once under a search: make its `VirtualRuntime` with both.
public struct Schedule: Sendable {
  /// Chooses the order.
  public let policy: any SchedulePolicy
  /// Looks at the run.
  public let observer: RunObserver

  /// Makes one, to run a program by hand.
  public init(policy: any SchedulePolicy, observer: RunObserver = RunObserver()) {
    self.policy = policy
    self.observer = observer
  }
}
