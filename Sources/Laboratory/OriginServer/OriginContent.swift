import Bytes
public import Foundation

/// The content of a server. A route takes precedence over a file, and a later route over an earlier one of the same path.
public struct OriginContent: Sendable {
  /// The folder of the static files, for GET and HEAD. No path and no symbolic link leads out of it; `index.html` stands
  /// for its folder. Names are compared by their bytes. A file for which the process has no descriptor left answers 503.
  public var directory: URL?
  /// The scripted responses.
  public var routes: [OriginRoute]
  /// The response to every other request.
  public var fallback: OriginResponse
  /// The latency of files, and of every response whose own is zero.
  public var defaultLatency: Duration

  /// Creates content. The default answers every request with 404.
  public init(
    directory: URL? = nil, routes: [OriginRoute] = [], fallback: OriginResponse = .notFound,
    defaultLatency: Duration = .zero
  ) {
    self.directory = directory
    self.routes = routes
    self.fallback = fallback
    self.defaultLatency = defaultLatency
  }
}

/// The responses of one path, in the order in which requests get them.
public struct OriginRoute: Sendable {
  /// What a route does after its last response.
  public enum Continuation: String, CaseIterable, Sendable {
    /// The last response again.
    case repeatLast = "repeat-last"
    /// The first response again.
    case cycle
    /// A 500 for every further request.
    case error
  }

  /// The path, percent-decoded. With a `?` it is compared with the whole target of a request as it was sent; without,
  /// with the decoded path, whatever the query. Bytes are compared: see ``OriginPath``.
  public var path: String
  /// The responses; none at all answers 500.
  public var responses: [OriginResponse]
  /// What the route does after its last response.
  public var then: Continuation
  /// Computes the responses instead of the list.
  private(set) var compute: Compute?

  /// A route with several responses.
  public init(path: String, responses: [OriginResponse], then: Continuation = .repeatLast) {
    self.path = path
    self.responses = responses
    self.then = then
  }

  /// A route that always answers the same.
  public init(path: String, _ response: OriginResponse) { self.init(path: path, responses: [response]) }

  /// The response for the request of a number, counted from zero, whose header fields can be asked for.
  package typealias Compute =
    @Sendable (_ number: Int, _ headers: () -> [(name: String, value: String)]) -> OriginResponse

  /// A route that computes its responses.
  ///
  /// - Parameter response: It is called on a thread of the server, once for each request, for several at once.
  package init(path: String, response: @escaping Compute) {
    self.init(path: path, responses: [])
    compute = response
  }
}

/// The path of a request, percent-decoded and without the query.
///
/// Two paths are equal when their UTF-8 bytes are, as for HTTP and for file systems: `/caf\u{E9}` and `/cafe\u{301}` are
/// two paths, though they are one `String`.
public struct OriginPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let spelling: UTF8String

  /// A path.
  public init(_ text: String) { spelling = UTF8String(text) }

  /// A path, written as a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as text.
  public var text: String { spelling.text }

  /// The path as text.
  public var description: String { text }
}
