/// Content that is prepared for requests, along with each route's current position.
struct Script {
  /// The kind of response to a request.
  enum Answer {
    /// A route's response at the given position. Client code may compute the response.
    case scripted(OriginRoute, Int)
    /// The response to send if no static file matches.
    case fallback(OriginResponse)
  }

  let files: StaticFiles?
  let defaultLatency: Duration
  private let fallback: OriginResponse
  private let routes: [OriginRoute]
  private let indices: [OriginPath: Int]
  /// The paths of the routes that also specify a query.
  private let queriedPaths: Set<OriginPath>
  private var positions: [Int]

  init(_ content: OriginContent) {
    files = content.directory.flatMap(StaticFiles.init)
    defaultLatency = content.defaultLatency
    fallback = content.fallback
    routes = content.routes
    positions = Array(repeating: 0, count: content.routes.count)
    var indices: [OriginPath: Int] = [:]
    var queriedPaths: Set<OriginPath> = []
    for (index, route) in content.routes.enumerated() {
      indices[OriginPath(route.path)] = index
      if let query = route.path.firstIndex(of: "?") { queriedPaths.insert(OriginPath(String(route.path[..<query]))) }
    }
    self.indices = indices
    self.queriedPaths = queriedPaths
  }

  /// Returns whether a route exists for this path, with any query.
  func hasRoute(_ path: OriginPath) -> Bool { indices[path] != nil || queriedPaths.contains(path) }

  /// Returns the route's next response, or the fallback.
  mutating func answer(target: String, path: OriginPath) -> Answer {
    let asSent = target.utf8.contains(UInt8(ascii: "?")) ? indices[OriginPath(target)] : nil
    guard let index = asSent ?? indices[path] else { return .fallback(fallback) }
    defer { positions[index] += 1 }
    return .scripted(routes[index], positions[index])
  }
}

extension OriginRoute {
  /// Returns the response at `position`, counted from zero.
  func response(at position: Int, to request: RequestHead) -> OriginResponse {
    if let compute { return compute(position) { request.fields } }
    if position < responses.count { return responses[position] }
    guard let last = responses.last else { return .plain(500) }
    switch then {
    case .repeatLast: return last
    case .cycle: return responses[position % responses.count]
    case .error: return .plain(500)
    }
  }
}
