import EventBus

/// The real runtime, except that long timers, such as deadlines, fire only when the test fires them.
final class DeadlineRuntime: Runtime {
  /// The shortest delay that counts as a deadline.
  static let deadline = Duration.seconds(3600)

  let workers: any Scheduler
  private let base = DispatchRuntime.shared
  private let timers = HeldTimers()

  init() { workers = HoldingScheduler(base.workers, timers) }

  var main: any Scheduler { base.main }
  var now: Duration { base.now }
  func serial(_ label: String) -> any Scheduler { HoldingScheduler(base.serial(label), timers) }
  func gate() -> any Gate { base.gate() }
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { base.task(body) }

  /// Fires all pending deadlines.
  func pass() { timers.pass() }
}

/// A scheduler that registers timers of at least ``DeadlineRuntime/deadline`` with `timers` instead of starting them.
private final class HoldingScheduler: Scheduler {
  private let base: any Scheduler
  private let timers: HeldTimers

  init(_ base: any Scheduler, _ timers: HeldTimers) {
    self.base = base
    self.timers = timers
  }

  var isSerial: Bool { base.isSerial }
  var isCurrent: Bool { base.isCurrent }
  func schedule(_ action: @escaping @Sendable () -> Void) { base.schedule(action) }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    guard delay >= DeadlineRuntime.deadline else { return base.schedule(after: delay, action) }
    return timers.hold { [base] in base.schedule(action) }
  }
}

private final class HeldTimers: Sendable {
  private struct Timer: Sendable {
    let fire: @Sendable () -> Void
  }

  private struct State {
    var timers: [Int: Timer] = [:]
    var last = 0
  }

  private struct Handle: Cancellation {
    let owner: HeldTimers
    let key: Int
    func cancel() { owner.take(key) }
  }

  private let state = Locked(State())

  func hold(_ fire: @escaping @Sendable () -> Void) -> any Cancellation {
    let key = state.withLock { state in
      state.last += 1
      state.timers[state.last] = Timer(fire: fire)
      return state.last
    }
    return Handle(owner: self, key: key)
  }

  func pass() {
    let timers = state.withLock { state in
      defer { state.timers = [:] }
      return state.timers
    }
    for (_, timer) in timers.sorted(by: { $0.key < $1.key }) { timer.fire() }
  }

  private func take(_ key: Int) {
    let timer = state.withLock { $0.timers.removeValue(forKey: key) }
    withExtendedLifetime(timer) {}
  }
}
