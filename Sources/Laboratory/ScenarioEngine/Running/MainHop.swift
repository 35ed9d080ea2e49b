import EventBus

extension Runtime {
  /// Runs `body` on main and hands back what it returns.
  package func onMain<Value: Sendable>(_ body: @escaping @MainActor @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      scheduleOnMain { continuation.resume(returning: body()) }
    }
  }

  /// Returns once `delay` has passed.
  package func pause(_ delay: Duration) async {
    await withCheckedContinuation { continuation in
      _ = main.schedule(after: delay) { continuation.resume() }
    }
  }
}

extension Duration {
  /// The duration in seconds.
  package var inSeconds: Double { self / .seconds(1) }

  /// Whole milliseconds, rounded down.
  package var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
