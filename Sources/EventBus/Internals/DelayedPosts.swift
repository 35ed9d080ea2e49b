/// The posts of one bus that are not yet due. They are made in the order of their times, equal ones in the order in which they
/// were asked for, on a serial scheduler of the bus.
final class DelayedPosts: Sendable {
  private let runtime: any Runtime
  private let state = Locked(State())

  private struct State: Sendable {
    /// Made when first needed.
    var scheduler: (any Scheduler)?
    /// The next one first.
    var waiting = RingBuffer<DelayedPost>()
  }

  init(_ runtime: any Runtime) { self.runtime = runtime }

  func add(after delay: Duration, _ post: @escaping @Sendable () -> Void) -> any Cancellation {
    let entry = DelayedPost(due: runtime.now + max(delay, .zero), post)
    state.withLock { $0.waiting.insert(entry) { $0.due < $1.due } }
    entry.keep(scheduler.schedule(after: delay) { [weak self] in self?.make(until: entry.due) })
    return entry
  }

  private var scheduler: any Scheduler {
    if let known = state.withLock({ $0.scheduler }) { return known }
    let made = runtime.serial("delayed posts")
    return state.withLock { state in
      if let known = state.scheduler { return known }
      state.scheduler = made
      return made
    }
  }

  /// The time has come for all that are due until then: their own timers may fire in another order.
  private func make(until due: Duration) {
    while let entry = next(until: due) { entry.take()?.post() }
  }

  private func next(until due: Duration) -> DelayedPost? {
    state.withLock { state in
      guard let first = state.waiting.first, first.due <= due else { return nil }
      return state.waiting.popFirst()
    }
  }

  /// For the bus that dies.
  func close() {
    for entry in state.withLock({ $0.waiting.elements }) { entry.cancel() }
  }
}

/// One of them.
private final class DelayedPost: Cancellation {
  struct Action: Sendable {
    let post: @Sendable () -> Void
  }

  private struct State: Sendable {
    var action: Action?
    var timer: (any Cancellation)?
  }

  let due: Duration
  private let state: Locked<State>

  init(due: Duration, _ post: @escaping @Sendable () -> Void) {
    self.due = due
    state = Locked(State(action: Action(post: post)))
  }

  /// Nil if it was cancelled.
  func take() -> Action? { state.withLock { $0.action.take() } }

  func keep(_ timer: any Cancellation) {
    let isOver = state.withLock { state in
      state.timer = timer
      return state.action == nil
    }
    if isOver { timer.cancel() }
  }

  func cancel() {
    let (action, timer) = state.withLock { ($0.action.take(), $0.timer.take()) }
    timer?.cancel()
    withExtendedLifetime(action) {}
  }
}
