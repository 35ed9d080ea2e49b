import Foundation
import OriginServer

/// What the origin serves for a scenario.
struct ScenarioOrigin: Sendable {
  let scenario: Scenario

  /// The bytes of each image. No two are alike.
  var bodies: [String: Data] {
    Dictionary(
      uniqueKeysWithValues: scenario.images.enumerated().map { index, image in
        (image.id, PatternPicture(seed: index + 1, width: image.width, height: image.height).png)
      })
  }

  /// The routes of the file, and every image that has none at its own path.
  var content: OriginContent {
    let bodies = bodies
    let scripted = Set(scenario.routes.map(\.path))
    let plain = scenario.images.filter { !scripted.contains($0.path) }.map { image in
      OriginRoute(path: image.path, response(scenario.fallback ?? Scenario.Response(), image.path, bodies))
    }
    let routes = scenario.routes.map { route in
      OriginRoute(
        path: route.path, responses: route.responses.map { response($0, route.path, bodies) },
        then: OriginRoute.Continuation(rawValue: route.then) ?? .repeatLast)
    }
    return OriginContent(
      routes: plain + routes, fallback: scenario.fallback.map { response($0, "", bodies) } ?? .notFound)
  }

  private func response(_ response: Scenario.Response, _ path: String, _ bodies: [String: Data]) -> OriginResponse {
    let body: OriginBody =
      switch response.body {
      case .image(let id): .data(bodies[id] ?? Data())
      case .bytes(let count): .bytes(count)
      case .ofPath: .data(scenario.images.first { $0.path == path }.flatMap { bodies[$0.id] } ?? Data())
      }
    return OriginResponse(status: response.status, body: body, latency: response.latency)
  }
}
