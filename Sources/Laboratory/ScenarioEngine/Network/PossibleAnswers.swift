import FetcherModel
import Foundation
import OriginServer
import ScenarioFormat

/// The responses that a scenario's origin may send at some point in a run.
struct PossibleAnswers: Sendable {
  private let routes: [ScenarioPath: [Scenario.Response]]
  private let changes: [ScenarioPath: [Scenario.Response]]
  private let fallback: [Scenario.Response]
  private let phases: [Scenario.Response]

  init(_ scenario: Scenario) {
    let answers = { (routes: [Scenario.Route]) in
      Dictionary(grouping: routes, by: \.path).mapValues { $0.flatMap(\.responses) }
    }
    routes = answers(scenario.origin.routes)
    changes = answers(
      scenario.steps.compactMap { step in if case .origin(let route) = step.action { route } else { nil } })
    phases = scenario.allPhases.compactMap(\.self).flatMap(\.responses)
    fallback = [scenario.origin.fallback].compactMap(\.self)
  }

  /// The possible responses of the path itself, including redirects.
  func at(_ path: ScenarioPath) -> [Scenario.Response] { (routes[path] ?? fallback) + (changes[path] ?? []) + phases }

  /// The possible targets of redirects from these paths.
  func targets(of paths: Set<ScenarioPath>) -> Set<ScenarioPath> {
    var targets: Set<ScenarioPath> = []
    var next = paths
    // If the default response redirects to a relative address, each target leads to yet another one.
    for _ in 0..<SimulatedLoader.maximumRedirects where !next.isEmpty {
      let found = next.reduce(into: Set<ScenarioPath>()) { found, path in
        for location in at(path).compactMap(\.redirect) { found.formUnion(Self.targets(of: location, from: path)) }
      }
      next = found.subtracting(paths).subtracting(targets)
      targets.formUnion(found)
    }
    return targets
  }

  /// The targets of a `Location`, as any of the strategies may resolve it.
  private static func targets(of location: String, from path: ScenarioPath) -> [ScenarioPath] {
    guard let url = URL(string: ScenarioPath.address("http://127.0.0.1", path)) else { return [] }
    let ways = [Redirection(location, from: url), Redirection(blocking: location, from: url)].compactMap(\.self)
    return ways.filter { !$0.leavesOrigin }.compactMap { way in
      if case .path(let path) = RequestTarget(of: way.url).reading { ScenarioPath(path.text) } else { nil }
    }
  }

  /// The possible responses to a request for a path: those of the path itself and of its redirect targets.
  func reached(from path: ScenarioPath) -> [Scenario.Response] {
    targets(of: [path]).union([path]).sorted().flatMap(at)
  }
}
