import Synchronization

/// Runs a part of the work that is excluded from its time, such as replacing what an operation consumed.
///
/// Call this only on the measuring thread. Reading the clock twice takes about 50 ns, so call it once for many operations.
public func unmeasured(_ body: () -> Void) {
  let spent = ContinuousClock().measure(body)
  UnmeasuredTime.current.total.withLock { $0 += spent }
}

/// The total time of the unmeasured parts of one turn.
final class UnmeasuredTime: Sendable {
  @TaskLocal static var current = UnmeasuredTime()
  let total = Mutex(Duration.zero)
}
