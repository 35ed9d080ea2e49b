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
    /// How many of these were cancelled.
    var cancelled = 0
  }

  init(_ runtime: any Runtime) { self.runtime = runtime }

  func add(after delay: Duration, _ post: @escaping @Sendable () -> Void) -> any Cancellation {
    let entry = DelayedPost(due: runtime.now + max(delay, .zero), post)
    state.withLock { $0.waiting.insert(entry) { $0.due < $1.due } }
    let timer = scheduler.schedule(after: delay) { [weak self, due = entry.due] in self?.make(until: due) }
    let isWaiting = state.withLock { _ in
      if entry.post != nil { entry.timer = timer }
      return entry.post != nil
    }
    if !isWaiting { timer.cancel() }
    return Token(posts: self, entry: entry)
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
    while let (post, entry) = next(until: due) { withExtendedLifetime(entry, post) }
  }

  /// With what belongs to it, so that nothing is released under the lock.
  private func next(until due: Duration) -> (@Sendable () -> Void, DelayedPost)? {
    state.withLock { state in
      while let first = state.waiting.first, first.due <= due {
        _ = state.waiting.popFirst()
        if let post = first.post.take() { return (post, first) }
        state.cancelled -= 1
      }
      return nil
    }
  }

  private func cancel(_ entry: DelayedPost) {
    let (post, timer) = state.withLock { state in
      if entry.post != nil { state.cancelled += 1 }
      defer {
        if state.cancelled >= 16, state.cancelled * 2 >= state.waiting.count {
          _ = state.waiting.removeAll { $0.post == nil }
          state.cancelled = 0
        }
      }
      return (entry.post.take(), entry.timer.take())
    }
    timer?.cancel()
    withExtendedLifetime(post) {}
  }

  /// For the bus that dies.
  func close() {
    for entry in state.withLock({ $0.waiting.elements }) { cancel(entry) }
  }

  private struct Token: Cancellation {
    let posts: DelayedPosts
    let entry: DelayedPost

    func cancel() { posts.cancel(entry) }
  }
}

/// One of them. Unchecked for what is only used under their lock.
private final class DelayedPost: @unchecked Sendable {
  let due: Duration
  /// Nil once it was made or cancelled.
  @exclusivity(unchecked) var post: (@Sendable () -> Void)?
  @exclusivity(unchecked) var timer: (any Cancellation)?

  init(due: Duration, _ post: @escaping @Sendable () -> Void) {
    self.due = due
    self.post = post
  }
}
