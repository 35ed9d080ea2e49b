import Bytes
public import Foundation

/// The content of a server. A route takes precedence over a file, and a later route over an earlier one with the same
/// path.
public struct OriginContent: Sendable {
  /// The folder of the static files, for GET and HEAD. No path and no symbolic link leads out of it. `index.html` is
  /// the index of its folder. Names are compared by their bytes. If the process has no descriptor left for a file, the
  /// status is 503.
  public var directory: URL?
  /// The scripted responses.
  public var routes: [OriginRoute]
  /// The response to every other request.
  public var fallback: OriginResponse
  /// The latency of files, and of every response without a latency.
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

/// The responses of one path, in request order.
public struct OriginRoute: Sendable {
  /// The behavior of a route after its last response.
  public enum Continuation: String, CaseIterable, Sendable {
    /// Repeats the last response.
    case repeatLast = "repeat-last"
    /// Starts again with the first response.
    case cycle
    /// Sends 500 for every further request.
    case error
  }

  /// The percent-decoded path. With a `?`, it is compared with the whole request target as sent; without one, with the
  /// decoded path, ignoring the query. Paths are compared by their bytes: see ``OriginPath``.
  public var path: String
  /// The responses. An empty list means status 500.
  public var responses: [OriginResponse]
  /// The behavior after the last response.
  public var then: Continuation
  /// Computes responses instead of the list.
  private(set) var compute: Compute?

  /// Makes a route with several responses.
  public init(path: String, responses: [OriginResponse], then: Continuation = .repeatLast) {
    self.path = path
    self.responses = responses
    self.then = then
  }

  /// Makes a route that always sends the same response.
  public init(path: String, _ response: OriginResponse) { self.init(path: path, responses: [response]) }

  /// Returns the response to a request by its number, counted from zero, and its header fields.
  package typealias Compute =
    @Sendable (_ number: Int, _ headers: () -> [(name: String, value: String)]) -> OriginResponse

  /// Makes a route that computes its responses.
  ///
  /// - Parameter response: called on a thread of the server, once per request, possibly concurrently.
  package init(path: String, response: @escaping Compute) {
    self.init(path: path, responses: [])
    compute = response
  }
}

/// The path of a request, percent-decoded and without the query.
///
/// Two paths are equal if their UTF-8 bytes are, as in HTTP and in file systems. `/caf\u{E9}` and `/cafe\u{301}` are
/// different paths, although they are equal as `String`.
public struct OriginPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let spelling: UTF8String

  /// Makes a path from text.
  public init(_ text: String) { spelling = UTF8String(text) }

  /// Makes a path from a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as text.
  public var text: String { spelling.text }

  /// The path as text.
  public var description: String { text }
}
