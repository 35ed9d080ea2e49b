public import VirtualTime

/// What a program needs to run once under a search: make its `VirtualRuntime` with both.
public struct Schedule: Sendable {
  /// Chooses the order.
  public let policy: any SchedulePolicy
  /// Looks at the run.
  public let observer: RunObserver
  /// How much of the virtual time also passes in real time, at most.
  let realTime: Duration
  /// Observes the tasks of a run that is recorded.
  let tasks: TaskObserver?

  /// Makes one, to run a program by hand.
  public init(policy: any SchedulePolicy, observer: RunObserver = RunObserver()) {
    self.policy = policy
    self.observer = observer
    realTime = .zero
    tasks = nil
  }

  init(policy: any SchedulePolicy, observer: RunObserver, realTime: Duration, tasks: TaskObserver?) {
    self.policy = policy
    self.observer = observer
    self.realTime = realTime
    self.tasks = tasks
  }

  /// Makes the schedule of a failure, to look at its run by other means.
  public init(replaying deviations: Deviations) {
    let director = Director()
    director.begin(DeviationPolicy(deviations.list))
    self.init(policy: director)
  }
}
