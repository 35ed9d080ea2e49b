/// Content made ready to answer requests, with the position of every route.
struct Script {
  /// What a request gets.
  struct Answer {
    var response: OriginResponse
    /// False where the response is the fallback, and the static files are to be asked first.
    var isScripted: Bool
  }

  let files: StaticFiles?
  let defaultLatency: Duration
  private let fallback: OriginResponse
  private let routes: [OriginRoute]
  private let indices: [String: Int]
  private var positions: [Int]

  init(_ content: OriginContent) {
    files = content.directory.flatMap(StaticFiles.init)
    defaultLatency = content.defaultLatency
    fallback = content.fallback
    routes = content.routes
    positions = Array(repeating: 0, count: content.routes.count)
    var indices: [String: Int] = [:]
    for (index, route) in content.routes.enumerated() { indices[route.path] = index }
    self.indices = indices
  }

  /// The next response of the route, or the fallback.
  mutating func answer(target: String, path: String) -> Answer {
    guard let index = indices[target] ?? indices[path] else { return Answer(response: fallback, isScripted: false) }
    defer { positions[index] += 1 }
    return Answer(response: routes[index].response(at: positions[index]), isScripted: true)
  }
}
