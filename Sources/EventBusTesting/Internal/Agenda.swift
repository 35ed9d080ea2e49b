import EventBus

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The actions that wait, first in, first out, and those that wait for a time, with the time itself.
final class Agenda: Sendable {
  typealias Action = @Sendable () -> Void

  private struct Item {
    let scheduler: AgendaScheduler
    let action: Action
  }

  private struct Timer {
    let due: Duration
    let number: Int
    let item: Item
  }

  private struct State {
    var now: Duration = .zero
    var ready: [Item] = []
    /// By time, and by registration among equals.
    var timers: [Timer] = []
    var timersMade = 0
    var running: (thread: pthread_t, scheduler: AgendaScheduler)?
  }

  private let state = Locked(State())

  var now: Duration { state.withLock { $0.now } }
  var isIdle: Bool { state.withLock { $0.ready.isEmpty && $0.timers.isEmpty } }

  func append(_ scheduler: AgendaScheduler, _ action: @escaping Action) {
    state.withLock { $0.ready.append(Item(scheduler: scheduler, action: action)) }
  }

  func append(_ scheduler: AgendaScheduler, after delay: Duration, _ action: @escaping Action) -> any Cancellation {
    let number = state.withLock { state in
      state.timersMade += 1
      let timer = Timer(
        due: state.now + max(delay, .zero), number: state.timersMade, item: Item(scheduler: scheduler, action: action))
      let place = state.timers.firstIndex { $0.due > timer.due } ?? state.timers.endIndex
      state.timers.insert(timer, at: place)
      return timer.number
    }
    return TimerCancellation(agenda: self, number: number)
  }

  func isCurrent(_ scheduler: AgendaScheduler) -> Bool {
    state.withLock { state in
      guard let running = state.running else { return false }
      return running.scheduler === scheduler && pthread_equal(running.thread, pthread_self()) != 0
    }
  }

  /// Runs the next ready action. Returns false when there is none, or when another thread, or this one, is running one.
  func runNext() -> Bool {
    let next: Item? = state.withLock { state in
      guard state.running == nil, !state.ready.isEmpty else { return nil }
      let next = state.ready.removeFirst()
      state.running = (pthread_self(), next.scheduler)
      return next
    }
    guard let next else { return false }
    next.action()
    state.withLock { $0.running = nil }
    return true
  }

  /// Moves the time to the next timer that is due by `limit`, and makes it ready. False when there is none.
  func releaseTimer(dueBy limit: Duration?) -> Bool {
    state.withLock { state in
      guard let timer = state.timers.first, limit.map({ timer.due <= $0 }) ?? true else { return false }
      state.timers.removeFirst()
      state.now = max(state.now, timer.due)
      state.ready.append(timer.item)
      return true
    }
  }

  /// Whether nothing is ready and no thread is inside an action.
  var isAtRest: Bool { state.withLock { $0.ready.isEmpty && $0.running == nil } }

  func runReady() {
    while runNext() {}
  }

  func moveTime(to time: Duration) { state.withLock { $0.now = max($0.now, time) } }

  fileprivate func removeTimer(_ number: Int) {
    // Returned, so that what the action captured is released outside the lock.
    _ = state.withLock { state -> Item? in
      guard let place = state.timers.firstIndex(where: { $0.number == number }) else { return nil }
      return state.timers.remove(at: place).item
    }
  }
}

private struct TimerCancellation: Cancellation {
  let agenda: Agenda
  let number: Int

  func cancel() { agenda.removeTimer(number) }
}
