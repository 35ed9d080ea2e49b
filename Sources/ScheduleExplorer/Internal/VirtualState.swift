/// What waits to be run, the time, and the rule for what is next: a value without threads.
struct VirtualState: Sendable {
  /// A closure in a box, so that reading it under a lock does not wrap it again.
  struct Action: Sendable {
    let call: @Sendable () -> Void
  }

  /// A closure that waits at a gate.
  struct Parked: Sendable {
    let gate: Int
    let lane: VirtualLane
    let baton: Baton
    let since: Duration
  }

  /// What can be done next.
  enum Work: Sendable {
    case run(Action, VirtualLane)
    case resume(Parked)
  }

  private struct Timer: Sendable {
    let due: Duration
    let number: Int
    /// Nil for one more thread in the pool.
    let work: Work?
  }

  private(set) var now = Duration.zero
  private(set) var steps = 0
  /// How many of them since the time last moved.
  private var stepsAtOnce = 0
  private(set) var poolStarved = false
  /// The longest that main waited at a gate.
  private(set) var longestMainWait = Duration.zero
  /// In the order in which it became ready.
  private var ready: [Work] = []
  /// By time, and by registration among equals.
  private var timers: [Timer] = []
  private var timersMade = 0
  private var labels = ["main", "workers", "tasks"]
  private var permits: [Int]
  private(set) var parked: [Parked] = []
  private var poolSize: Int
  private var isPoolGrowing = false
  private let pool: WorkerPool
  private let mostStepsAtOnce: Int
  private let mostSteps: Int

  init(pool: WorkerPool, mostStepsAtOnce: Int, mostSteps: Int) {
    self.pool = pool
    self.mostStepsAtOnce = mostStepsAtOnce
    self.mostSteps = mostSteps
    permits = []
    poolSize = pool.size
  }

  mutating func makeLane(_ label: String) -> VirtualLane {
    labels.append(label)
    return VirtualLane(number: labels.count - 1)
  }

  mutating func makeGate() -> Int {
    permits.append(0)
    return permits.count - 1
  }

  mutating func append(_ action: Action, on lane: VirtualLane) { ready.append(.run(action, lane)) }

  /// Returns the number by which the timer is removed.
  mutating func append(_ action: Action, on lane: VirtualLane, after delay: Duration) -> Int {
    addTimer(.run(action, lane), after: delay)
  }

  /// Returns what was removed, to be released elsewhere than under a lock.
  mutating func removeTimer(_ number: Int) -> Work? {
    timers.firstIndex { $0.number == number }.flatMap { timers.remove(at: $0).work }
  }

  private mutating func addTimer(_ work: Work?, after delay: Duration) -> Int {
    timersMade += 1
    let timer = Timer(due: now + max(delay, .zero), number: timersMade, work: work)
    timers.insert(timer, at: timers.firstIndex { $0.due > timer.due } ?? timers.endIndex)
    return timer.number
  }

  /// Takes a permit of the gate, if there is one.
  mutating func pass(_ gate: Int) -> Bool {
    guard permits[gate] > 0 else { return false }
    permits[gate] -= 1
    return true
  }

  mutating func park(_ closure: Parked) { parked.append(closure) }

  mutating func open(_ gate: Int) {
    guard let index = parked.firstIndex(where: { $0.gate == gate }) else {
      permits[gate] += 1
      return
    }
    ready.append(.resume(parked.remove(at: index)))
  }

  /// What can be done next, as places in the list of what is ready. Lets the time pass if that is what is needed.
  mutating func candidates() -> [Int] {
    while true {
      let candidates = runnable()
      if !candidates.isEmpty { return candidates }
      if isStarved {
        poolStarved = true
        if pool.grows, !isPoolGrowing {
          isPoolGrowing = true
          _ = addTimer(nil, after: .seconds(1))
        }
      }
      guard !timers.isEmpty else { return [] }
      let timer = timers.removeFirst()
      if timer.due > now {
        now = timer.due
        stepsAtOnce = 0
      }
      if let work = timer.work {
        ready.append(work)
      } else {
        isPoolGrowing = false
        if isStarved { poolSize += 1 }
      }
    }
  }

  /// Takes what stands at that place.
  mutating func take(_ index: Int) -> Work {
    steps += 1
    stepsAtOnce += 1
    let work = ready.remove(at: index)
    if case .resume(let closure) = work, closure.lane == .main {
      longestMainWait = max(longestMainWait, now - closure.since)
    }
    return work
  }

  /// Whether there were more steps than a run may have.
  var isOverLimit: Bool { stepsAtOnce > mostStepsAtOnce || steps > mostSteps }

  /// How a run ends that has nothing left to do, or no steps left to do it.
  var end: VirtualRunEnd {
    if stepsAtOnce > mostStepsAtOnce { return .livelock(steps: mostStepsAtOnce) }
    if steps > mostSteps { return .endless(steps: mostSteps) }
    return parked.isEmpty ? .idle : .deadlock(waiting: parked.map { labels[$0.lane.number] })
  }

  /// Gives everything up. Returns what is to be released elsewhere than under a lock, and who waits.
  mutating func abandon() -> (dropped: [Work], parked: [Parked]) {
    let resumed = ready.compactMap { if case .resume(let parked) = $0 { parked } else { nil } }
    defer {
      ready = []
      timers = []
      parked = []
    }
    return (ready + timers.compactMap(\.work), resumed + parked)
  }

  private var blockedWorkers: Int {
    parked.count { $0.lane == .workers }
      + ready.count { if case .resume(let parked) = $0 { parked.lane == .workers } else { false } }
  }

  private var isStarved: Bool {
    blockedWorkers >= poolSize
      && ready.contains { if case .run(_, .workers) = $0 { true } else { false } }
  }

  private func runnable() -> [Int] {
    var taken = Set(parked.map(\.lane).filter(\.isSerial))
    for case .resume(let closure) in ready where closure.lane.isSerial { taken.insert(closure.lane) }
    let hasFreeWorker = blockedWorkers < poolSize
    return ready.indices.filter { index in
      switch ready[index] {
      case .resume: return true
      case .run(_, .workers): return hasFreeWorker
      case .run(_, let lane): return lane.isSerial ? taken.insert(lane).inserted : true
      }
    }
  }
}
