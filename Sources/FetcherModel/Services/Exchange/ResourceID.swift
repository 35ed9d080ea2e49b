import Synchronization

/// Identifies one ``ServiceResource`` in the process: the key of its events.
public struct ResourceID: Hashable, Sendable {
  private static let last = Atomic(0)

  /// The endpoint, for people. Two resources of one name have two identities.
  public let name: String
  private let number: Int

  init(name: String) {
    self.name = name
    number = Self.last.add(1, ordering: .relaxed).newValue
  }

  /// Whether both are of one resource.
  public static func == (a: ResourceID, b: ResourceID) -> Bool { a.number == b.number }
  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
