import Synchronization

/// Runs a part of some work that does not belong to its time, such as making again what an operation has used up.
///
/// Only on the thread that measures. The two readings of the clock cost some 50 ns, so call it once for many operations.
public func unmeasured(_ body: () -> Void) {
  let spent = ContinuousClock().measure(body)
  UnmeasuredTime.current.total.withLock { $0 += spent }
}

/// What the unmeasured parts of one turn have taken.
final class UnmeasuredTime: Sendable {
  @TaskLocal static var current = UnmeasuredTime()
  let total = Mutex(Duration.zero)
}
