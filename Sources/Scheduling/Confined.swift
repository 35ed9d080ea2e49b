/// A mutable value that lives on one serial scheduler, so that views can be plain without being actors.
///
/// Unchecked, and sound, because every access checks that it runs on that scheduler, which runs one action at a time.
public final class Confined<Value>: @unchecked Sendable {
  private let scheduler: any Scheduler
  private var value: Value

  /// Confines `value` to `scheduler`. Any thread; do not keep another reference to what is inside.
  public init(_ scheduler: any Scheduler, _ value: sending Value) {
    precondition(scheduler.isSerial, "A value can be confined to a serial scheduler only")
    self.scheduler = scheduler
    self.value = value
  }

  /// Reads or changes the value. On the scheduler only: elsewhere it traps.
  ///
  /// What `body` calls must not come back here: Swift's enforcement of exclusive access then ends the process, also in a
  /// release build.
  public func withValue<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(scheduler.isCurrent, "A confined value was touched away from its scheduler")
    return try body(&value)
  }
}
