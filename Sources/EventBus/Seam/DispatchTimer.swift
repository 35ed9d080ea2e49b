import Dispatch

/// One shot of a Dispatch timer. Unlike `asyncAfter`, cancelling it lets go of the action at once.
///
/// Unchecked because Dispatch declares no source `Sendable`, although `cancel` may be called on any thread.
final class DispatchTimer: Cancellation, @unchecked Sendable {
  private let source: any DispatchSourceTimer

  init(on queue: DispatchQueue, after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeTimerSource(queue: queue)
    self.source = source
    source.setEventHandler {
      // The source and its handler keep each other alive until this breaks the circle.
      source.cancel()
      action()
    }
    source.schedule(deadline: .now() + .nanoseconds(delay.clampedNanoseconds))
    source.activate()
  }

  func cancel() { source.cancel() }
}

extension Duration {
  /// Whole nanoseconds, zero for the past, and no more than Dispatch can count.
  var clampedNanoseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < Int64(Int.max) / 1_000_000_000 else { return Int.max }
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
