import Foundation
import OriginServer

/// What the origin serves for a scenario, as content for a real one and as single answers for a simulated one.
struct ScenarioOrigin: Sendable {
  /// How many answers of a route are drawn ahead where chance decides them; then they repeat.
  private static let drawn = 64

  let scenario: Scenario
  /// Where the files of bodies are.
  let folder: URL
  /// The routes, as far as steps have not changed them.
  private var routes: [Scenario.Route]
  /// How many requests a route had when a step made it.
  private var base: [String: Int] = [:]
  private let bodies: [String: Data]

  init(_ scenario: Scenario, folder: URL) {
    self.scenario = scenario
    self.folder = folder
    routes = scenario.origin.routes
    bodies = ScenarioPictures(scenario).bodies
  }

  /// Gives a path other answers.
  ///
  /// - Parameter requests: how many requests the path had so far.
  mutating func change(_ route: Scenario.Route, after requests: Int) {
    routes.removeAll { $0.path == route.path }
    routes.append(route)
    base[route.path] = requests
  }

  /// The routes of the file, and before them one for every image that has none at its own path.
  var allRoutes: [Scenario.Route] {
    let scripted = Set(routes.map(\.path))
    return scenario.images.filter { !scripted.contains($0.path) }.map { plain($0.path) } + routes
  }

  /// Everything that the origin serves.
  ///
  /// - Parameter requests: how many requests each path had so far; its next answer is the one after them.
  func content(after requests: [String: Int] = [:]) -> OriginContent {
    let fallback = scenario.origin.fallback.map { response($0, "", 0) }
    return OriginContent(
      routes: allRoutes.map { route($0, after: (requests[$0.path] ?? 0) - (base[$0.path] ?? 0)) },
      fallback: fallback ?? .notFound)
  }

  /// What becomes of request number `number` of a path.
  ///
  /// - Parameter timeout: after how much silence the client gives up.
  func answer(_ path: String, number: Int, timeout: Duration = .seconds(60)) -> SimulatedAnswer {
    let image = scenario.images.contains { $0.path == path }
    let route = routes.first { $0.path == path }
    guard let found = route ?? (image ? plain(path) : nil) else {
      let fallback = scenario.origin.fallback.map { response($0, "", number) } ?? .notFound
      return SimulatedAnswer(fallback, body: bytes(fallback.body), timeout: timeout)
    }
    let position = number - (base[path] ?? 0)
    guard let scripted = found.response(position) else {
      return SimulatedAnswer(OriginResponse(status: 500), body: Data(), timeout: timeout)
    }
    if ResponseDraw(scripted, seed: scenario.seed, path: path, number: position).fault == .refuse { return .refused }
    let sent = response(scripted, path, position)
    return SimulatedAnswer(sent, body: bytes(sent.body), timeout: timeout)
  }

  /// What an image without a route answers.
  private func plain(_ path: String) -> Scenario.Route {
    Scenario.Route(path: path, responses: [scenario.origin.fallback ?? Scenario.Response()])
  }

  private func bytes(_ body: OriginBody) -> Data {
    switch body {
    case .data(let data): data
    case .file(let url): (try? Data(contentsOf: url)) ?? Data()
    case .bytes(let count): OriginBody.pattern(count)
    }
  }

  private func route(_ route: Scenario.Route, after requests: Int) -> OriginRoute {
    let isRandom = route.responses.contains(where: \.isRandom)
    let count = isRandom ? Self.drawn : route.responses.count
    let numbers = requests..<requests + max(count, 1)
    let responses = numbers.compactMap { number in
      route.response(number).map { response($0, route.path, number) }
    }
    let then = OriginRoute.Continuation(rawValue: route.then.rawValue) ?? .repeatLast
    return OriginRoute(path: route.path, responses: responses, then: isRandom && then == .repeatLast ? .cycle : then)
  }

  private func response(_ response: Scenario.Response, _ path: String, _ number: Int) -> OriginResponse {
    let draw = ResponseDraw(response, seed: scenario.seed, path: path, number: number)
    return OriginResponse(
      status: response.status, headers: response.headers.map { ($0.name, $0.value) }, body: body(response.body, path),
      latency: draw.latency, bytesPerSecond: response.bandwidth, chunked: response.chunks != nil,
      chunkSize: response.chunks ?? 16 * 1024, fault: draw.fault.flatMap { fault($0, response.faultOffset ?? 0) })
  }

  private func body(_ body: Scenario.Response.Body, _ path: String) -> OriginBody {
    switch body {
    case .image(let id): .data(bodies[id] ?? Data())
    case .ofPath: .data(scenario.images.first { $0.path == path }.flatMap { bodies[$0.id] } ?? Data())
    case .bytes(let count): .bytes(count)
    case .file(let name): .file(folder.appending(path: name))
    case .json(let value): .text((try? JSONText.of(value)) ?? "null")
    }
  }

  /// A refusal is no matter of an answer: the path then has a port that nobody listens on.
  private func fault(_ fault: Scenario.Response.Fault, _ offset: Int) -> OriginFault? {
    switch fault {
    case .refuse: nil
    case .reset: .reset(after: offset)
    case .closeBeforeHeaders: .closeBeforeHeaders
    case .stall: .stall(after: offset)
    case .truncate: .truncate(after: offset)
    case .garbage: .garbage
    case .malformedChunk: .malformedChunk
    case .slowClose: .slowClose
    }
  }
}
