/// What an item does that makes a difference to another one, reported while it runs.
public enum Touch: Hashable, Sendable {
  /// Schedules something on a scheduler.
  case post(SchedulerID)
  /// Schedules something of this kind with a delay on a scheduler.
  case delay(ReadyItem.Kind, SchedulerID)
  /// Asks for the time.
  case clock
  /// Cancels what it, or an item before it, scheduled with a delay: the item with this identity, whether it has run or not.
  case cancel(UInt64)
  /// Opens the gate with this number.
  case gate(Int)
  /// Says with ``VirtualRuntime/touches(reading:writing:)`` that it reads this.
  case read(String)
  /// Says that it writes this.
  case write(String)
  /// Has said what it touches. An item that never does may touch anything.
  case stated
  /// Does something that cannot be compared: waits at a gate, makes a scheduler or a gate, cancels what was scheduled outside
  /// the run, or had a delay under a slack.
  case other
}
