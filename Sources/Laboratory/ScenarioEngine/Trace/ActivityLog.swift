import EventBus
import VirtualTime

/// Records every closure and job of a runtime, and every subscription of a bus. Safe to use from any thread.
///
/// No two recorded times are equal: simultaneous events are recorded a nanosecond apart. If the times were equal, a
/// viewer could not show the order of the events.
final class ActivityLog: Sendable {
  private struct State {
    var start: Duration
    var last = Duration.nanoseconds(-1)
    var activity = Activity()
    /// The number of the closure that each thread is running.
    var inside: [(thread: UInt, number: Int)] = []

    /// Returns the time of the next record.
    mutating func moment(_ now: Duration) -> Duration {
      last = max(now - start, last + .nanoseconds(1))
      return last
    }
  }

  private let clock: any Runtime
  private let state: Locked<State>

  /// - Parameter clock: the runtime whose clock provides the times.
  init(_ clock: any Runtime) {
    self.clock = clock
    state = Locked(State(start: clock.now))
  }

  /// The activity so far.
  var activity: Activity { state.withLock { $0.activity } }

  /// Sets the run's start time. Call this before recording anything.
  func begin(at start: Duration) { state.withLock { $0.start = start } }

  /// Records a new closure and returns its number.
  ///
  /// - Parameter delay: the minimum delay.
  func enqueue(on scheduler: String, after delay: Duration = .zero) -> Int {
    state.withLock { state in
      // Read all times under the lock. Otherwise, a thread that acquires the lock late could record an end that is
      // later than the next start in its slot.
      let time = state.moment(clock.now)
      let cause = state.inside.last { $0.thread == ThreadID.current }?.number
      state.activity.closures.append(
        ClosureSpan(scheduler: scheduler, enqueued: time, due: time + max(delay, .zero), cause: cause))
      return state.activity.closures.count - 1
    }
  }

  /// Runs a closure and records its times.
  func run(_ number: Int, _ action: () -> Void) {
    state.withLock { state in
      let scheduler = state.activity.closures[number].scheduler
      let others = state.inside.map { state.activity.closures[$0.number] }.filter { $0.scheduler == scheduler }
      state.activity.closures[number].slot = (0...).first { slot in !others.contains { $0.slot == slot } } ?? 0
      state.activity.closures[number].begin = state.moment(clock.now)
      state.inside.append((ThreadID.current, number))
    }
    action()
    state.withLock { state in
      state.activity.closures[number].end = state.moment(clock.now)
      state.inside.removeAll { $0.number == number }
    }
  }

  /// Records a trace event of the bus if it changes the number of subscriptions.
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
  /// The closures, in the order in which they were enqueued.
  var closures: [ClosureSpan] = []
  /// The changes in the bus's number of subscriptions.
  var subscriptions: [CountChange] = []
}

/// One closure or task job of a runtime. A span records where and when the closure ran, and when and by which other
/// closure it was enqueued.
struct ClosureSpan: Sendable, Equatable {
  /// The scheduler's label.
  let scheduler: String
  /// The time at which it was enqueued or its timer was set, counted from the start of the run.
  let enqueued: Duration
  /// The earliest time at which it could run.
  let due: Duration
  /// The number of the closure that enqueued this closure, or nil if no closure of the runtime did.
  let cause: Int?
  /// The index of the scheduler's thread, which is always zero on a serial scheduler.
  var slot = 0
  /// The start of its execution, or nil before it runs.
  var begin: Duration?
  var end: Duration?

  /// The time from its start to its end, or nil if it has not ended.
  var time: ClosedRange<Duration>? {
    guard let begin, let end else { return nil }
    return begin...end
  }
}

/// A change in a count.
struct CountChange: Sendable, Equatable {
  /// The time of the change, counted from the start of the run.
  let time: Duration
  /// The amount by which the count changed.
  let change: Int
}
