/// What the figures of a row are.
public enum Unit: String, Codable, Sendable {
  /// Time for one operation.
  case nanoseconds = "ns"
  /// Memory that stays allocated.
  case bytes = "B"
  /// Calls of an allocator or of the runtime's reference counting.
  case calls
}
