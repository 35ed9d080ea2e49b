public import VirtualTime

/// The inputs of one run under a search. Pass both to the program's `VirtualRuntime`.
public struct Schedule: Sendable {
  /// The policy that chooses the order of the items.
  public let policy: any SchedulePolicy
  /// The observer of the run.
  public let observer: RunObserver
  /// The maximum amount of virtual time that also passes in real time.
  let realTime: Duration
  /// The observer of the tasks of a recorded run.
  let tasks: TaskObserver?
  /// The seed of the random numbers that the explored code draws.
  let randomSeed: UInt32

  /// Creates a schedule for running a program manually.
  public init(policy: any SchedulePolicy, observer: RunObserver = RunObserver()) {
    self.policy = policy
    self.observer = observer
    realTime = .zero
    tasks = nil
    randomSeed = 0
  }

  init(policy: any SchedulePolicy, observer: RunObserver, realTime: Duration, tasks: TaskObserver?, randomSeed: UInt32)
  {
    self.policy = policy
    self.observer = observer
    self.realTime = realTime
    self.tasks = tasks
    self.randomSeed = randomSeed
  }

  /// Creates a schedule that replays a failure, to inspect its run.
  public init(replaying deviations: Deviations) {
    let recording = RecordingPolicy()
    recording.begin(DeviationPolicy(deviations.list))
    self.init(policy: recording)
  }
}
