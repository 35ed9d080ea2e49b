public import EventBus
import Synchronization

/// A ``ServiceResource`` has a new value. Posted on main, after its state has changed.
public struct ServiceChanged: KeyedEvent {
  /// Which resource.
  public let resourceID: ResourceID
  /// The resource, so that one can subscribe to its events alone.
  public var key: ResourceID { resourceID }
}

/// A ``ServiceResource/load()`` has failed. Posted on main, after the state has changed: ``ServiceResource/failure`` says why.
public struct ServiceFailed: KeyedEvent {
  /// Which resource.
  public let resourceID: ResourceID
  /// The resource, so that one can subscribe to its events alone.
  public var key: ResourceID { resourceID }
}

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
