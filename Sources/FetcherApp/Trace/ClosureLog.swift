import EventBus

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes down every closure that passes through a runtime. Any thread.
final class ClosureLog: Sendable {
  private struct State {
    var spans: [ClosureSpan] = []
    /// The closure that each thread is inside.
    var inside: [(thread: pthread_t, number: Int)] = []
  }

  private let clock: any Runtime
  private let start: Duration
  private let state = Locked(State())

  /// - Parameter clock: whose time is written down.
  init(_ clock: any Runtime) {
    self.clock = clock
    start = clock.now
  }

  /// Every closure so far, in the order in which they were enqueued.
  var spans: [ClosureSpan] { state.withLock { $0.spans } }

  /// Notes a new closure and hands back its number.
  func enqueue(on lane: String) -> Int {
    let time = clock.now - start
    return state.withLock { state in
      let cause = state.inside.last { pthread_equal($0.thread, pthread_self()) != 0 }?.number
      state.spans.append(ClosureSpan(lane: lane, enqueued: time, cause: cause))
      return state.spans.count - 1
    }
  }

  /// Runs a closure and notes when.
  func run(_ number: Int, _ action: () -> Void) {
    let begin = clock.now - start
    state.withLock { state in
      let lane = state.spans[number].lane
      let taken = state.inside.map(\.number).filter { state.spans[$0].lane == lane }.map { state.spans[$0].slot }
      state.spans[number].slot = (0...).first { !taken.contains($0) } ?? 0
      state.spans[number].begin = begin
      state.inside.append((pthread_self(), number))
    }
    action()
    let end = clock.now - start
    state.withLock { state in
      state.spans[number].end = end
      state.inside.removeAll { $0.number == number }
    }
  }
}
