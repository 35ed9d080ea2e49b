import EventBus

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes down every closure and every job that passes through a runtime, and every subscription of a bus. Any thread.
///
/// No two moments have the same time: where the clock stands still, each is a nanosecond after the one before.
/// Otherwise a viewer could not tell in which order things happened in virtual time.
final class ActivityLog: Sendable {
  private struct State {
    var start: Duration
    var last = Duration.nanoseconds(-1)
    var activity = Activity()
    /// The closure that each thread is inside.
    var inside: [(thread: pthread_t, number: Int)] = []

    /// The time of what is noted next.
    mutating func moment(_ now: Duration) -> Duration {
      last = max(now - start, last + .nanoseconds(1))
      return last
    }
  }

  private let clock: any Runtime
  private let state: Locked<State>

  /// - Parameter clock: whose time is written down.
  init(_ clock: any Runtime) {
    self.clock = clock
    state = Locked(State(start: clock.now))
  }

  /// What has happened so far.
  var activity: Activity { state.withLock { $0.activity } }

  /// Lets the run begin at a time of the clock. To be called before anything happens.
  func begin(at start: Duration) { state.withLock { $0.start = start } }

  /// Notes a new closure and hands back its number.
  ///
  /// - Parameter delay: how long it has to wait at least.
  func enqueue(on scheduler: String, after delay: Duration = .zero) -> Int {
    state.withLock { state in
      // All times are taken under the lock: a thread that was overtaken on the way to it would else write down an end
      // that is later than the next beginning in its slot.
      let time = state.moment(clock.now)
      let cause = state.inside.last { pthread_equal($0.thread, pthread_self()) != 0 }?.number
      state.activity.closures.append(
        ClosureSpan(scheduler: scheduler, enqueued: time, due: time + max(delay, .zero), cause: cause))
      return state.activity.closures.count - 1
    }
  }

  /// Runs a closure and notes when.
  func run(_ number: Int, _ action: () -> Void) {
    state.withLock { state in
      let scheduler = state.activity.closures[number].scheduler
      let others = state.inside.map { state.activity.closures[$0.number] }.filter { $0.scheduler == scheduler }
      state.activity.closures[number].slot = (0...).first { slot in !others.contains { $0.slot == slot } } ?? 0
      state.activity.closures[number].begin = state.moment(clock.now)
      state.inside.append((pthread_self(), number))
    }
    action()
    state.withLock { state in
      state.activity.closures[number].end = state.moment(clock.now)
      state.inside.removeAll { $0.number == number }
    }
  }

  /// Notes a step of the bus.
  func note(_ step: EventBus::TraceEvent) {
    let change =
      switch step.kind {
      case .subscribed: 1
      case .cancelled: -1
      default: 0
      }
    guard change != 0 else { return }
    state.withLock { state in
      let time = state.moment(step.time)
      state.activity.subscriptions.append(CountChange(time: time, change: change))
    }
  }
}

/// The closures and subscriptions of a run.
struct Activity: Sendable, Equatable {
  /// In the order in which they were enqueued.
  var closures: [ClosureSpan] = []
  /// The subscriptions of the bus, as they came and went.
  var subscriptions: [CountChange] = []
}

/// One closure, or one job of a task, that a runtime was given: when it was enqueued and by whom, where and when it
/// ran.
struct ClosureSpan: Sendable, Equatable {
  /// The label of the scheduler.
  let scheduler: String
  /// When it was enqueued, or for a timer, when the timer was set; since the run began.
  let enqueued: Duration
  /// When it could run at the earliest.
  let due: Duration
  /// The number of the closure that enqueued it; nil where that was none of the runtime's.
  let cause: Int?
  /// Which of the scheduler's threads it ran on, from zero. Always zero on a serial scheduler.
  var slot = 0
  /// Nil while it has not run.
  var begin: Duration?
  var end: Duration?

  /// From its beginning to its end; nil while it has none.
  var time: ClosedRange<Duration>? {
    guard let begin, let end else { return nil }
    return begin...end
  }
}

/// A count that went up or down.
struct CountChange: Sendable, Equatable {
  /// Since the run began.
  let time: Duration
  /// By how much.
  let change: Int
}
