/// The posts of one bus that are not yet due. A serial scheduler performs the posts in the order of their due times;
/// posts with equal due times are performed in the order in which they were added.
final class DelayedPosts: Sendable {
  private struct State {
    /// Created on first use.
    var scheduler: (any Scheduler)?
    /// The timer of each post, or nil while the timer is being created.
    var timers: [Int: (any Cancellation)?] = [:]
    var last = 0
  }

  private struct Token: Cancellation {
    let posts: DelayedPosts
    let number: Int

    func cancel() { posts.remove(number)??.cancel() }
  }

  private let runtime: any Runtime
  private let state = Locked(State())

  init(_ runtime: any Runtime) { self.runtime = runtime }

  func add(after delay: Duration, _ post: @escaping @Sendable () -> Void) -> any Cancellation {
    let number = state.withLock { state in
      state.last += 1
      state.timers[state.last] = .some(nil)
      return state.last
    }
    let timer = scheduler.schedule(after: max(delay, .zero)) { [weak self] in
      if self?.remove(number) != nil { post() }
    }
    let isWaiting = state.withLock { $0.timers[number] != nil && $0.timers.updateValue(timer, forKey: number) != nil }
    if !isWaiting { timer.cancel() }
    return Token(posts: self, number: number)
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

  /// Removes a post that is being performed or cancelled. Returns nil if it was already removed.
  private func remove(_ number: Int) -> (any Cancellation)?? {
    state.withLock { $0.timers.removeValue(forKey: number) }
  }

  /// Cancels all delayed posts. Called when the bus is released.
  func close() {
    for timer in state.withLock({ $0.timers.values.compactMap(\.self) }) { timer.cancel() }
  }
}
