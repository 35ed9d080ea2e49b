public import Foundation

/// What a strategy asks of the network.
public struct NetworkRequest: Sendable {
  public var url: URL
  public var method: String
  /// Header fields in the order they are set.
  public var headers: [(name: String, value: String)]
  public var body: Data?
  /// The idle timeout in whole seconds.
  public var timeoutSeconds: Int
  /// Who asks: requests of one lane share connections, those of two lanes do not.
  public var lane: String

  public init(
    url: URL, method: String = "GET", headers: [(name: String, value: String)] = [], body: Data? = nil,
    timeoutSeconds: Int = 60, lane: String
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
    self.lane = lane
  }
}

/// The head of an answer.
public struct NetworkResponse: Sendable {
  /// Where the answer came from, after redirects.
  public var url: URL
  public var status: Int
  /// The length that the server announced, in bytes.
  public var expectedLength: Int?
  public var contentType: String?
  /// All header fields, by name.
  public var headers: [(name: String, value: String)]

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

/// Why the network failed: a `URLError` code, or a Cocoa code from a blocking read.
public struct NetworkError: Error, Equatable, Sendable {
  public var code: Int

  public init(code: Int) { self.code = code }

  /// The same failure in the words of the model.
  public var asFetchError: FetchError {
    switch code {
    case -999: .cancelled
    case -1001: .timedOut
    default: .transport(code)
    }
  }
}
