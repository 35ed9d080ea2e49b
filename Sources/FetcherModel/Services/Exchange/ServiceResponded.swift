public import EventBus
public import Foundation

/// A server has answered a service, well or not. Posted on main, before the service's own result.
///
/// Not posted where the strategy cannot see the head of an answer, nor for pictures, whose events tell of them.
public struct ServiceResponded: Event {
  /// Where the answer came from, after redirects, without the query, which may hold an API key.
  public let url: URL
  /// The HTTP status.
  public let status: Int
  /// The header fields of the answer, by name.
  public let headers: [(name: String, value: String)]

  init(_ response: NetworkResponse) {
    var components = URLComponents(url: response.url, resolvingAgainstBaseURL: true)
    components?.query = nil
    url = components?.url ?? response.url
    status = response.status
    headers = response.headers
  }
}
