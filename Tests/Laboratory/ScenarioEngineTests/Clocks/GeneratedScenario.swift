import Foundation
import PlainText
import ScenarioSamples
import SeededNumbers

@testable import ScenarioEngine
@testable import ScenarioFormat

/// A random scenario from a seed, in which the order of all relevant events is fixed. Slightly later responses must not
/// change the run, because the real clock delivers them slightly later.
struct GeneratedScenario: Sendable {
  let seed: Int
  /// The file, as `fetcher run` reads it.
  let file: String
  let scenario: Scenario
  /// The run of each strategy on the virtual clock.
  let virtual: [String: RunRecord]

  private static let lateness = Duration.milliseconds(50)

  /// Takes the seed's first draw whose file is valid and whose order of events is fixed for every strategy.
  init(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    while true {
      var draw = ScenarioDraw(generator)
      let text = draw.file(named: "x")
      generator = draw.generator
      guard let scenario = SampleScenario.file(text, vocabulary: .shipped).scenario,
        let virtual = Self.decidedRuns(of: scenario)
      else { continue }
      (self.seed, file, self.scenario, self.virtual) = (seed, text, scenario, virtual)
      return
    }
  }

  /// Returns the runs of all strategies, or nil if a delay changes the order of events.
  private static func decidedRuns(of scenario: Scenario) -> [String: RunRecord]? {
    let runner = VirtualScenarioRunner(scenario: scenario, folder: ShippedScenario.folder)
    let later = VirtualScenarioRunner(scenario: scenario.answering(later: lateness), folder: ShippedScenario.folder)
    var runs: [String: RunRecord] = [:]
    for strategy in Vocabulary.shipped.strategies {
      let run = runner.run(strategy)
      let story = RunStory(scenario, run)
      let delayed = RunStory(scenario, later.run(strategy))
      guard run.termination == nil, story.firstDifference(from: delayed, stall: .zero) == nil else { return nil }
      runs[strategy] = run
    }
    return runs
  }
}

extension Scenario {
  /// Returns the scenario with an origin that is slower by a delay.
  fileprivate func answering(later delay: Duration) -> Scenario {
    var scenario = self
    let slow = { (response: Response) in
      var response = response
      if case .fixed(let latency) = response.latency { response.latency = .fixed(latency + delay) }
      return response
    }
    let slowRoute = { (route: Route) in
      var route = route
      route.responses = route.responses.map(slow)
      return route
    }
    scenario.origin.fallback = origin.fallback.map(slow)
    scenario.origin.routes = origin.routes.map(slowRoute)
    for (index, step) in steps.enumerated() {
      if case .origin(let route) = step.action { scenario.steps[index].action = .origin(slowRoute(route)) }
      if case .originOfAll(let route?) = step.action { scenario.steps[index].action = .originOfAll(slowRoute(route)) }
      if case .network(var conditions) = step.action, case .fixed(let latency)? = conditions.latency {
        conditions.latency = .fixed(latency + delay)
        scenario.steps[index].action = .network(conditions)
      }
    }
    return scenario
  }
}

/// A generator that draws the parts of a scenario.
private struct ScenarioDraw {
  private(set) var generator: SplitMix64
  private var images: [(id: String, path: String, side: Int)] = []

  init(_ generator: SplitMix64) { self.generator = generator }

  mutating func file(named name: String) -> String {
    for (id, path) in [("A", "/a.png"), ("B", "/b.png"), ("C", "/x/c.png")].prefix(pick([1, 2, 2, 3])) {
      images.append((id, path, pick([24, 24, 24, 8, 64])))
    }
    if images.count > 1, chance(0.15) { images[1].path = images[0].path }
    let paths = images.map(\.path).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    var routes: [JSONValue] = []
    for path in paths where chance(0.85) { routes.append(route(path)) }
    routes.append(target())
    var origin: [String: JSONValue] = ["routes": .list(routes)]
    if chance(0.2) { origin["default"] = chance(0.5) ? plainError() : ["latency": "60ms"] }
    let scenario: [String: JSONValue] = [
      "scenario": 1, "name": .string(name), "seed": .integer(Int.random(in: 0...99, using: &generator)),
      "pool": ["model": "darwin", "limit": 64],
      "images": .list(
        images.map { ["id": .string($0.id), "path": .string($0.path), "size": .string("\($0.side)x\($0.side)")] }),
      "origin": .object(origin), "steps": .list(steps()),
    ]
    return (try? JSONText.of(JSONValue.object(scenario))) ?? ""
  }

  // MARK: Answers

  private mutating func route(_ path: String) -> JSONValue {
    if chance(0.04) { return ["path": .string(path), "responses": [["fault": "refuse"]]] }
    var responses: [JSONValue] = []
    for _ in 0..<pick([1, 1, 2, 3]) { responses.append(response(path)) }
    return [
      "path": .string(path), "responses": .list(responses), "then": .string(pick(["repeat-last", "cycle", "error"])),
    ]
  }

  /// Returns the route of the redirects' target. Two requests may reach it in either order, so it answers all of them
  /// alike.
  private mutating func target() -> JSONValue {
    let picture: JSONValue = ["body": .string(images[0].id), "latency": "60ms"]
    return ["path": "/else.png", "responses": .list([chance(0.7) ? picture : plainError()])]
  }

  private mutating func plainError() -> JSONValue {
    ["status": .integer(pick([401, 404, 410, 500, 503])), "body": ["bytes": .integer(pick([0, 100, 5000]))]]
  }

  private mutating func response(_ path: String) -> JSONValue {
    var response: [String: JSONValue] = [:]
    let side = images.first { $0.path == path }?.side ?? 0
    var length = side * (3 * side + 1) + 70
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<45: break
    case 45..<62:
      length = pick([0, 100, 5000, 70_000])
      response["status"] = .integer(pick([401, 404, 410, 500, 503, 400, 309]))
      response["body"] = ["bytes": .integer(length)]
    case 62..<80:
      length = pick([0, 0, 300, 5000])
      response["status"] = .integer(pick([301, 302, 303, 305, 306, 307, 308]))
      response["body"] = ["bytes": .integer(length)]
      if chance(0.8) {
        response["headers"] = [
          "Location": .string(
            pick([
              "/else.png", "/else.png", "else.png", "/gone.png", path, "http:else.png", "file:/else.png",
              "/%2e%2e/else.png", "/x/%2E./else.png", "http://127.0.0.1:80/else.png", "/%FF", "?x", "/else.png?x=y#z",
              "//127.0.0.1:1/else.png", "",
            ]))
        ]
      }
    case 80..<87:
      response["status"] = .integer(pick([201, 203, 204, 206, 300, 304]))
      if response["status"] == 204 || response["status"] == 304 { length = 0 }
    case 87..<94:
      length = pick([0, 1, 9, 5000])
      response["body"] = ["bytes": .integer(length)]
    default:
      response["body"] = ["json": ["error": "none"]]
      length = 16
    }
    if chance(0.6) { response["latency"] = .string(pick(["60ms", "100ms", "150ms", "200ms"])) }
    if chance(0.35) { addFault(to: &response, length) }
    if chance(0.25), length > 0 {
      response["bandwidth"] = .integer(max(1, length * 1000 / pick([80, 150, 300, 500])))
    }
    if chance(0.25) { response["chunks"] = .integer(pick([1, 7, 100, 1000, 16_384])) }
    return .object(response)
  }

  private mutating func addFault(to response: inout [String: JSONValue], _ length: Int) {
    let fault = pick([
      "truncate", "truncate", "reset", "reset", "malformed-chunk", "malformed-chunk", "close-before-headers", "garbage",
      "slow-close",
    ])
    response["fault"] = .string(fault)
    if fault == "truncate" || fault == "reset" {
      response["after"] = .integer(pick([0, 1, 100, length / 2, max(0, length - 1), length + 5]))
    }
    if chance(0.2) { response["probability"] = .number(0.5) }
  }

  // MARK: Steps

  private mutating func steps() -> [JSONValue] {
    let views = chance(0.3) ? ["detail", "side"] : ["detail"]
    var time = 0
    var steps: [JSONValue] = views.map { step(0, "appear", ["view": .string($0)]) }
    if chance(0.25) {
      steps.append(
        step(
          0, "subscribe",
          ["subscriber": "one", "topic": "saved", "delivery": .string(pick(["posting", "main", "workers"]))]))
    }
    steps.append(select(0, views))
    for _ in 0..<Int.random(in: 1...5, using: &generator) {
      time += pick([70, 70, 110, 130, 170, 230, 310])
      steps.append(anyStep(time, views))
    }
    if chance(0.15) {
      steps.append(step(time, "wait-idle", ["id": "rest"]))
      steps.append(["after": "rest", "plus": "70ms", "do": "select", "image": .string(pick(images).id)])
    } else if chance(0.15) {
      steps.append([
        "after": ["event": .string(pick(["fetch.done", "fetch.failed"]))], "plus": "70ms", "do": "select",
        "image": .string(pick(images).id),
      ])
    }
    return steps
  }

  private mutating func anyStep(_ time: Int, _ views: [String]) -> JSONValue {
    let view = JSONValue.string(pick(views))
    let image = JSONValue.string(pick(images).id)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<36: return select(time, views)
    case 36..<50: return step(time, "cancel", ["image": image])
    case 50..<57: return step(time, "disappear", ["view": view])
    case 57..<64: return step(time, "appear", ["view": view])
    case 64..<68: return step(time, "deselect", ["view": view])
    case 68..<74:
      return step(time, "switch", ["strategy": .string(pick(Vocabulary.shipped.strategies))])
    case 74..<80: return step(time, "drop-model", chance(0.6) ? ["image": image] : [:])
    case 80..<84: return step(time, "memory-warning", [:])
    case 84..<87: return step(time, "publish", ["topic": "saved", "lane": .string(pick(["main", "workers"]))])
    case 87..<90: return step(time, "network", network())
    case 90..<92: return step(time, "unsubscribe", ["subscriber": "one"])
    case 92..<94: return step(time, "subscribe", ["subscriber": .string(pick(["one", "two"])), "topic": "saved"])
    case 94..<96:
      return step(time, "origin", ["path": .string(pick(images).path), "responses": [["latency": "60ms"]]])
    case 96..<99: return step(time, "origin", ["all": chance(0.6) ? [["fault": "refuse"]] : []])
    default: return step(time, "note", ["text": "now"])
    }
  }

  private mutating func network() -> [String: JSONValue] {
    var conditions: [String: JSONValue] = [:]
    if chance(0.7) { conditions["latency"] = .string(pick(["60ms", "150ms", "300ms"])) }
    if chance(0.4) { conditions["bandwidth"] = .integer(pick([10_000, 50_000])) }
    return conditions
  }

  private mutating func select(_ time: Int, _ views: [String]) -> JSONValue {
    step(time, "select", ["image": .string(pick(images).id), "view": .string(pick(views))])
  }

  private func step(_ time: Int, _ action: String, _ more: [String: JSONValue]) -> JSONValue {
    .object(more.merging(["at": .string("\(time)ms"), "do": .string(action)]) { own, _ in own })
  }

  // MARK: Chance

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < probability
  }
}
