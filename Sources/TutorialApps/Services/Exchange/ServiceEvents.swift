public import EventBus
public import FetcherModel
public import Foundation
import Synchronization

/// A ``ServiceResource`` has a new value. Posted on main, after the resource's state has changed.
public struct ServiceChanged: KeyedEvent {
  /// The resource whose value changed.
  public let resourceID: ResourceID
  /// The resource, as the key for subscribing to its events.
  public var key: ResourceID { resourceID }
}

/// A ``ServiceResource/load()`` failed. Posted on main, after the resource's state has changed.
/// ``ServiceResource/failure`` is the reason.
public struct ServiceFailed: KeyedEvent {
  /// The resource that failed to load.
  public let resourceID: ResourceID
  /// The resource, as the key for subscribing to its events.
  public var key: ResourceID { resourceID }
}

/// A server has responded to a service, with any status. Posted on main, before the service reports its own result.
///
/// Not posted if the strategy does not report the response head. For pictures, this event is posted only if they belong
/// to a ``PhotoStore``.
public struct ServiceResponded: Event {
  /// The final URL after redirects, without user information, query or fragment.
  public let url: URL
  /// The HTTP status.
  public let status: Int
  /// The response's header fields, by name. Addresses in the header fields are shortened in the same way as ``url``.
  public let headers: HTTPHeaders

  /// - Parameter secret: text to redact everywhere, such as an API key.
  init(_ response: NetworkResponse, hiding secret: String?) {
    let hide = { (text: String) in
      let text = text.withoutSecrets
      return secret.map { String(text.unicodeScalars.replacing($0.unicodeScalars, with: "…".unicodeScalars)) } ?? text
    }
    url = URL(string: hide(response.url.absoluteString)) ?? URL(filePath: "/")
    status = response.status
    headers = HTTPHeaders(response.headers.map { ($0.name, hide($0.value)) })
  }
}

/// The identity of one ``ServiceResource`` in the process, which is the key for its events.
public struct ResourceID: Hashable, Sendable {
  private static let last = Atomic(0)

  /// The endpoint's human-readable name. Two resources with the same name still have different identities.
  public let name: String
  private let number: Int

  init(name: String) {
    self.name = name
    number = Self.last.add(1, ordering: .relaxed).newValue
  }

  /// Whether both values identify the same resource.
  public static func == (a: ResourceID, b: ResourceID) -> Bool { a.number == b.number }
  /// Hashes the resource's number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
