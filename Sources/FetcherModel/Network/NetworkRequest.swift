public import Foundation

/// A request that a strategy sends over the network.
package struct NetworkRequest: Sendable {
  /// The full URL.
  package var url: URL
  /// The HTTP method in uppercase.
  package var method: String
  /// The header fields, in sending order.
  package var headers: HTTPHeaders
  /// The complete request body.
  package var body: Data?
  /// The idle timeout, as in ``FetchLimits/idleTimeout``.
  package var idleTimeout: Duration
  /// The label of the connection pool. Requests with the same label share connections.
  package var pool: String
  /// The length in bytes of the largest response body that the caller accepts. A download task fails with code -3003
  /// unless it can store a file of this length. The caller itself compares the body with this limit.
  package var maximumBytes: Int

  /// The idle timeout, rounded up to whole seconds: at least one, and at most about 68 years.
  package var timeoutSeconds: Int {
    let (seconds, attoseconds) = idleTimeout.components
    return Int(min(max(1, seconds + (attoseconds > 0 ? 1 : 0)), 1 << 31))
  }

  /// Creates a request, by default a plain GET request.
  package init(
    url: URL, method: String = "GET", headers: HTTPHeaders = [:], body: Data? = nil,
    idleTimeout: Duration = .seconds(60), pool: String, maximumBytes: Int = FetchLimits().maximumBytes
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.idleTimeout = idleTimeout
    self.pool = pool
    self.maximumBytes = maximumBytes
  }
}

/// The head of a response.
public struct NetworkResponse: Sendable {
  /// The final URL, after redirects.
  public var url: URL
  /// The HTTP status.
  public var status: Int
  /// The announced length of the body, in bytes. Nil if it is unknown, or if it counts encoded bytes.
  public var expectedLength: Int?
  /// The media type stated by the server.
  public var contentType: String?
  /// All header fields by name, in no particular order.
  public var headers: HTTPHeaders

  /// Creates a head with these values.
  public init(
    url: URL, status: Int, expectedLength: Int? = nil, contentType: String? = nil,
    headers: HTTPHeaders = [:]
  ) {
    self.url = url
    self.status = status
    self.expectedLength = expectedLength
    self.contentType = contentType
    self.headers = headers
  }

  /// The encoding of the body according to all fields `Content-Encoding`, or nil if the body is plain. `identity` and
  /// an empty value do not encode the body.
  package var encoding: String? {
    let codings = (headers["Content-Encoding"] ?? "").split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && $0.lowercased() != "identity" }
    return codings.isEmpty ? nil : codings.joined(separator: ", ")
  }
}
