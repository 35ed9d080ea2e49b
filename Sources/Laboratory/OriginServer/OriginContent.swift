public import Foundation
import PlainText

/// The content of a server. Routes take precedence over files. If two routes have the same path, the later one takes
/// precedence.
public struct OriginContent: Sendable {
  /// The folder of static files for GET and HEAD. No path or symbolic link can lead out of the folder. `index.html` is
  /// the index of its folder. Names are compared by their bytes. If the process has no descriptor left for a file, the
  /// status is 503.
  public var directory: URL?
  /// The scripted responses.
  public var routes: [OriginRoute]
  /// The response to a request for which no route or file exists.
  public var fallback: OriginResponse
  /// The latency of files and of every response that does not specify a latency.
  public var defaultLatency: Duration

  /// Creates content. By default, every request gets a 404 response.
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

/// The responses for one path, in request order.
public struct OriginRoute: Sendable {
  /// The behavior of a route after its last response.
  public enum Continuation: String, CaseIterable, Sendable {
    /// Repeats the last response.
    case repeatLast = "repeat-last"
    /// Starts again with the first response.
    case cycle
    /// Sends status 500 for every further request.
    case error
  }

  /// The percent-decoded path. If the path contains a `?`, it is compared with the whole request target as sent. If
  /// not, the path is compared with the decoded path of the request, ignoring the query. Paths are compared by their
  /// bytes; see ``OriginPath``.
  public var path: String
  /// The responses. If the list is empty, the status is 500.
  public var responses: [OriginResponse]
  /// The behavior after the last response.
  public var then: Continuation
  /// A closure that computes the responses, or nil if the list provides them.
  private(set) var compute: Compute?
  /// Whether the server calls the closure on its background queue.
  private(set) var isComputedInBackground = false

  /// Creates a route with several responses.
  public init(path: String, responses: [OriginResponse], then: Continuation = .repeatLast) {
    self.path = path
    self.responses = responses
    self.then = then
  }

  /// Creates a route that always sends the same response.
  public init(path: String, _ response: OriginResponse) { self.init(path: path, responses: [response]) }

  /// Computes the response to a request from the request's number, which is counted from zero, and its header fields.
  package typealias Compute =
    @Sendable (_ number: Int, _ headers: () -> [(name: String, value: String)]) -> OriginResponse

  /// Creates a route that computes its responses.
  ///
  /// - Parameters:
  ///   - isSlow: Whether the closure may take more than a millisecond. A slow closure delays no other connection, and
  ///     the server calls one slow closure at a time.
  ///   - response: a closure that computes a response. The server calls it once per request on one of its threads,
  ///     possibly concurrently.
  package init(path: String, isSlow: Bool = false, response: @escaping Compute) {
    self.init(path: path, responses: [])
    compute = response
    isComputedInBackground = isSlow
  }
}

/// The path of a request, percent-decoded and without the query.
///
/// Two paths are equal if their UTF-8 bytes are equal, as in HTTP and in file systems. For example, `/caf\u{E9}` and
/// `/cafe\u{301}` are different paths, although they are equal as `String` values.
public struct OriginPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let spelling: UTF8String

  /// Creates a path from text.
  public init(_ text: String) { spelling = UTF8String(text) }

  /// Creates a path from a string literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as text.
  public var text: String { spelling.text }

  /// The path as text.
  public var description: String { text }
}
