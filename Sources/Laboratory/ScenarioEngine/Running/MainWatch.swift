import EventBus

/// Measures how long main is busy or blocked, by probing main regularly. Safe to use from any thread.
final class MainWatch: Sendable {
  private struct State {
    var longest = Duration.zero
    var isStopped = false
  }

  private static let interval = Duration.milliseconds(2)
  private let runtime: any Runtime
  /// The probes need a separate scheduler, because blocking reads may occupy all workers.
  private let timer: any Scheduler
  private let state = Locked(State())

  /// Starts watching main.
  init(_ runtime: any Runtime) {
    self.runtime = runtime
    timer = runtime.serial("main watch")
    ask()
  }

  /// Stops watching, and returns the longest time that main took to respond.
  func stop() async -> Duration {
    // Wait for main, so that the work that currently occupies main is also counted.
    await runtime.onMain { self.end() }
  }

  /// Stops watching, and returns the longest time that main took to respond. Call it on main.
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

extension Runtime {
  /// Runs `body` on main and returns its result.
  package func onMain<Value: Sendable>(_ body: @escaping @MainActor @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      scheduleOnMain { continuation.resume(returning: body()) }
    }
  }

  /// Returns after `delay` has passed.
  package func pause(_ delay: Duration) async {
    await withCheckedContinuation { continuation in
      _ = main.schedule(after: delay) { continuation.resume() }
    }
  }
}
