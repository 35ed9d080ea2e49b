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
