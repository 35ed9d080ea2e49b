/// The posts of one bus that are not yet due. A serial scheduler performs the posts in the order of their due times;
/// posts with equal due times are performed in the order in which they were added.
final class DelayedPosts: Sendable {
  private struct State {
    /// Created on first use.
    var scheduler: (any Scheduler)?
    var waiting: [Int: Post] = [:]
    var last = 0
  }

  private struct Post {
    /// Nil while the timer is being created.
    var timer: (any Cancellation)?
    /// Posts the event, or reports that the bus was released.
    let perform: @Sendable () -> Void
  }

  private struct Token: Cancellation {
    let posts: DelayedPosts
    let number: Int

    func cancel() { posts.remove(number)?.timer?.cancel() }
  }

  private let runtime: any Runtime
  private let state = Locked(State())

  init(_ runtime: any Runtime) { self.runtime = runtime }

  func add(after delay: Duration, _ perform: @escaping @Sendable () -> Void) -> any Cancellation {
    let number = state.withLock { state in
      state.last += 1
      state.waiting[state.last] = Post(perform: perform)
      return state.last
    }
    let timer = scheduler.schedule(after: max(delay, .zero)) { [weak self] in
      self?.remove(number)?.perform()
    }
    let isWaiting = state.withLock { state in
      state.waiting[number]?.timer = timer
      return state.waiting[number] != nil
    }
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
  private func remove(_ number: Int) -> Post? { state.withLock { $0.waiting.removeValue(forKey: number) } }

  /// Cancels all delayed posts, and lets each report that the bus was released. Called by the deinitializer of the bus.
  func close() {
    let discarded = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting
    }
    for (_, post) in discarded.sorted(by: { $0.key < $1.key }) {
      post.timer?.cancel()
      post.perform()
    }
  }
}
