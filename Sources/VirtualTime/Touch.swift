/// What an item does that makes a difference to another one, reported while it runs.
public enum Touch: Hashable, Sendable {
  /// Schedules something on a place.
  case post(Place)
  /// Schedules something with a delay, of this kind.
  case delay(ReadyItem.Kind)
  /// Asks for the time.
  case clock
  /// Opens the gate with this number.
  case gate(Int)
  /// Says with ``VirtualRuntime/touches(reading:writing:)`` that it reads this.
  case read(String)
  /// Says that it writes this.
  case write(String)
  /// Has said what it touches. An item that never does may touch anything.
  case stated
  /// Does something that cannot be compared: waits at a gate, cancels a timer, makes a place or a gate.
  case other
}
