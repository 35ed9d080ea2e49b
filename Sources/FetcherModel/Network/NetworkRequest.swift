public import Foundation

/// What a strategy asks of the network.
public struct NetworkRequest: Sendable {
  /// The whole address.
  public var url: URL
  /// The HTTP method, in capitals.
  public var method: String
  /// Header fields in the order they are set.
  public var headers: [(name: String, value: String)]
  /// What is sent along, whole.
  public var body: Data?
  /// The idle timeout in whole seconds; less than one counts as one.
  public var timeoutSeconds: Int
  /// The label of the connection pool: requests with the same label share connections.
  public var pool: String

  /// A request; by default a plain GET.
  public init(
    url: URL, method: String = "GET", headers: [(name: String, value: String)] = [], body: Data? = nil,
    timeoutSeconds: Int = 60, pool: String
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
    self.pool = pool
  }
}

/// The head of an answer.
public struct NetworkResponse: Sendable {
  /// Where the answer came from, after redirects.
  public var url: URL
  /// The HTTP status.
  public var status: Int
  /// The length that the server announced, in bytes.
  public var expectedLength: Int?
  /// What the server calls the bytes.
  public var contentType: String?
  /// All header fields, by name, in no particular order.
  public var headers: [(name: String, value: String)]

  /// A head with these values.
  public init(
    url: URL, status: Int, expectedLength: Int? = nil, contentType: String? = nil,
    headers: [(name: String, value: String)] = []
  ) {
    self.url = url
    self.status = status
    self.expectedLength = expectedLength
    self.contentType = contentType
    self.headers = headers
  }
}
