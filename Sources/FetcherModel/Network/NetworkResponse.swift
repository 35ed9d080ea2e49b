public import Foundation

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
