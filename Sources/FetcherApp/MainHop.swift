import EventBus

extension Runtime {
  /// Runs `body` on main and hands back what it returns.
  func onMain<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      main.schedule { continuation.resume(returning: body()) }
    }
  }

  /// Returns once `delay` has passed.
  func pause(_ delay: Duration) async {
    await withCheckedContinuation { continuation in
      _ = main.schedule(after: delay) { continuation.resume() }
    }
  }
}

extension Duration {
  /// The duration in seconds.
  var inSeconds: Double { self / .seconds(1) }

  /// Whole milliseconds, rounded down.
  var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
