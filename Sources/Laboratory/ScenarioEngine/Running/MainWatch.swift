import EventBus

/// Measures how long main is busy or blocked, by asking it again and again. Any thread.
final class MainWatch: Sendable {
  private struct State {
    var longest = Duration.zero
    var isStopped = false
  }

  private static let interval = Duration.milliseconds(2)
  private let runtime: any Runtime
  /// A scheduler of its own: reads that block may hold all workers.
  private let timer: any Scheduler
  private let state = Locked(State())

  /// Begins to watch.
  init(_ runtime: any Runtime) {
    self.runtime = runtime
    timer = runtime.serial("main watch")
    ask()
  }

  /// Stops, and returns the longest time that main took to answer.
  func stop() async -> Duration {
    // What keeps main busy right now counts as well.
    await runtime.onMain { self.end() }
  }

  /// The same on main.
  func end() -> Duration {
    state.withLock { state in
      state.isStopped = true
      return state.longest
    }
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
      _ = timer.schedule(after: Self.interval) { self.ask() }
    }
  }
}
