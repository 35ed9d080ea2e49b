import Foundation
import OriginServer

/// What the origin serves for a scenario, through a real socket.
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

  /// The routes of the file, and every image that has none at its own path.
  ///
  /// - Parameter requests: how many requests each path had so far; its next answer is the one after them.
  func content(after requests: [String: Int] = [:]) -> OriginContent {
    let scripted = Set(routes.map(\.path))
    let plain = scenario.images.filter { !scripted.contains($0.path) }.map { image in
      Scenario.Route(path: image.path, responses: [scenario.origin.fallback ?? Scenario.Response()])
    }
    let fallback = scenario.origin.fallback.map { response($0, "", 0) }
    return OriginContent(
      routes: (plain + routes).map { route($0, after: (requests[$0.path] ?? 0) - (base[$0.path] ?? 0)) },
      fallback: fallback ?? .notFound)
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
