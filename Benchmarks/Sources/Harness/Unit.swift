/// The unit of the figures of a row.
public enum Unit: String, Codable, Sendable {
  /// Time per operation.
  case nanoseconds = "ns"
  /// Time per operation, for long operations.
  case milliseconds = "ms"
  /// Memory that stays allocated.
  case bytes = "B"
  /// Calls of an allocator or of the runtime's reference counting.
  case calls
  /// Events of a burst.
  case events
  /// Explored schedules.
  case schedules
  /// Busy processors.
  case cores
  /// Requests that a server answers per second.
  case requests = "requests/s"

  /// The number of nanoseconds in one unit, or nil if the unit is not a time.
  var nanoseconds: Double? {
    switch self {
    case .nanoseconds: 1
    case .milliseconds: 1_000_000
    case .bytes, .calls, .events, .schedules, .cores, .requests: nil
    }
  }
}
