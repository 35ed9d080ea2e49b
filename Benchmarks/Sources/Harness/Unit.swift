/// What the figures of a row are.
public enum Unit: String, Codable, Sendable {
  /// Time for one operation.
  case nanoseconds = "ns"
  /// Time for one operation that is long.
  case milliseconds = "ms"
  /// Memory that stays allocated.
  case bytes = "B"
  /// Calls of an allocator or of the runtime's reference counting.
  case calls
  /// Events of a burst.
  case events
  /// Orders of events that were tried.
  case schedules
  /// Processors that are kept busy.
  case cores
  /// Requests that a server has answered in a second.
  case requests = "requests/s"

  /// How many nanoseconds one of it has; nil for what is no time.
  var nanoseconds: Double? {
    switch self {
    case .nanoseconds: 1
    case .milliseconds: 1_000_000
    case .bytes, .calls, .events, .schedules, .cores, .requests: nil
    }
  }
}
