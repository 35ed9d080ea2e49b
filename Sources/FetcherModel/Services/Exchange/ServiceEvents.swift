public import EventBus
public import Foundation
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

/// A server has answered a service, well or not. Posted on main, before the service's own result.
///
/// Not posted where the strategy cannot see the head of an answer. Of pictures only for those of a ``PhotoStore``.
public struct ServiceResponded: Event {
  /// Where the answer came from, after redirects, without user information, query and fragment.
  public let url: URL
  /// The HTTP status.
  public let status: Int
  /// The header fields of the answer, by name. Addresses in them are shortened as ``url`` is.
  public let headers: [(name: String, value: String)]

  /// - Parameter secret: what is replaced wherever it stands, such as an API key.
  init(_ response: NetworkResponse, hiding secret: String?) {
    let hide = { (text: String) in
      let text = text.withoutSecrets
      return secret.map { String(text.unicodeScalars.replacing($0.unicodeScalars, with: "…".unicodeScalars)) } ?? text
    }
    url = URL(string: hide(response.url.absoluteString)) ?? URL(filePath: "/")
    status = response.status
    headers = response.headers.map { ($0.name, hide($0.value)) }
  }
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
