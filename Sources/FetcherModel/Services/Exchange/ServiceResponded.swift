public import EventBus
public import Foundation

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
