import EventBus

/// Measures how long main is busy or blocked, by asking it again and again. Any thread.
final class MainWatch: Sendable {
  private struct State {
    var longest = Duration.zero
    var isStopped = false
  }

  private static let interval = Duration.milliseconds(2)
  private let runtime: any Runtime
  private let state = Locked(State())

  /// Begins to watch.
  init(_ runtime: any Runtime) {
    self.runtime = runtime
    ask()
  }

  /// Stops, and returns the longest time that main took to answer.
  func stop() async -> Duration {
    state.withLock { $0.isStopped = true }
    // What keeps main busy right now counts as well.
    return await runtime.onMain { self.state.withLock { $0.longest } }
  }

  private func ask() {
    let asked = runtime.now
    runtime.main.schedule { [self] in
      let time = runtime.now - asked
      let goesOn = state.withLock { state in
        state.longest = max(state.longest, time)
        return !state.isStopped
      }
      guard goesOn else { return }
      _ = runtime.workers.schedule(after: Self.interval) { self.ask() }
    }
  }
}
