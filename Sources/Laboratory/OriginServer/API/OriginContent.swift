public import Foundation

/// Everything a server has to offer. A route wins over a file, a later route of the same path over an earlier one.
public struct OriginContent: Sendable {
  /// The folder of the static files, for GET and HEAD. No path and no symbolic link leads out of it; `index.html` stands
  /// for its folder. Names are compared by their bytes. A file for which the process has no descriptor left answers 503.
  public var directory: URL?
  /// The scripted responses.
  public var routes: [OriginRoute]
  /// What every other request gets.
  public var fallback: OriginResponse
  /// The latency of files, and of every response whose own is zero.
  public var defaultLatency: Duration

  /// Content; by default nothing but 404.
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
