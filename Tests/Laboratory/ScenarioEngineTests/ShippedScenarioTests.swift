import Foundation
import PlainText
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// The contents of the scenario folder, and the runs of its scenarios. `ClockTests` compares the clocks.
@Suite(.computing) struct ShippedScenarioTests {
  @Test("The folder contains at least 25 scenarios, each with a distinct title")
  func folder() throws {
    #expect(ShippedScenario.all.count >= 25)
    let scenarios = try ShippedScenario.all.map { try $0.scenario }
    #expect(Set(scenarios.map(\.title)).count == scenarios.count)
  }

  @Test(
    "Each shipped scenario has a title and a reason, and passes with each planned strategy",
    arguments: ShippedScenario.all)
  func holds(_ shipped: ShippedScenario) throws {
    let scenario = try shipped.scenario
    #expect(shipped.file.diagnostics == [])
    #expect(!scenario.title.isEmpty)
    #expect(scenario.expectations.contains { $0.why != nil })
    for strategy in scenario.plannedStrategies {
      let outcome = try shipped.outcome(strategy, .virtual, shipped.runVirtually(strategy))
      #expect(outcome.failures.map(\.message) == [], "\(strategy)")
    }
  }

  @Test("The shipped scenarios together use every word of the format")
  func vocabulary() throws {
    var used: [String: Set<String>] = [:]
    for shipped in ShippedScenario.all { try Self.collect(from: shipped, &used) }
    for (kind, words) in Self.words {
      #expect(words.count > 1)
      #expect(words.subtracting(used[kind] ?? []) == [], "\(kind)")
    }
  }

  @Test("On the real clock, all shipped scenarios together take less than 40 seconds")
  func cost() throws {
    var total = Duration.zero
    for shipped in ShippedScenario.all {
      let scenario = try shipped.scenario
      guard scenario.clocks.contains(.real) else { continue }
      for strategy in scenario.plannedStrategies {
        let time = try shipped.runVirtually(strategy).duration
        #expect(time <= .seconds(2), "\(shipped.name)")
        total += time
      }
    }
    #expect(total < .seconds(40))
  }

  @Test("No run takes longer than the duration that the checks compute for its scenario")
  func length() throws {
    var known = 0
    for shipped in ShippedScenario.all {
      let scenario = try shipped.scenario
      guard let longest = RunLength(scenario).longest else { continue }
      known += 1
      for strategy in scenario.plannedStrategies {
        #expect(try shipped.runVirtually(strategy).duration <= longest, "\(shipped.name), \(strategy)")
      }
    }
    #expect(known > 10)
  }

  @Test(
    "A pool scenario passes with its pool, and starves with a smaller pool or a blocking strategy",
    arguments: [
      ("pool-blocking-linux", Scenario.Pool.linux(cores: 3)), ("pool-blocking-darwin", .darwin(limit: 7)),
      ("pool-blocking-fixed", .fixed(width: 1)), ("pool-nobody-blocks", nil),
    ])
  func pools(_ name: String, _ smaller: Scenario.Pool?) throws {
    let shipped = try #require(ShippedScenario.all.first { $0.name == name })
    var scenario = try shipped.scenario
    let strategy = try #require(scenario.strategies.first)
    #expect(starves(scenario, strategy) == false)
    guard let smaller else {
      #expect(starves(scenario, "blocking"), "the same pictures starve the pool with the blocking strategy")
      return
    }
    scenario.pool = smaller
    #expect(starves(scenario, strategy))
  }

  private func starves(_ scenario: Scenario, _ strategy: String) -> Bool {
    scenario.runVirtually(strategy).poolStarved
  }

  @Test("The list in examples.md names each scenario file exactly once, and no other file")
  func list() throws {
    let text = try String(contentsOf: ShippedScenario.folder.appending(path: "examples.md"), encoding: .utf8)
    let rows = text.matches(of: /\| \[`([a-z0-9-]+)`\]\(([a-z0-9-]+)\.json\) \|/)
    #expect(rows.map(\.output.1) == rows.map(\.output.2))
    #expect(rows.map { String($0.output.1) }.sorted() == ShippedScenario.all.map(\.name).sorted())
  }
}

extension ShippedScenarioTests {
  /// The words of the format, grouped by kind.
  private static let words: [String: Set<String>] = [
    "step": words(at: "$defs", "do", "enum"),
    "expectation": words(at: "properties", "expect", "items", "properties").subtracting(["why"]),
    "pool": words(at: "$defs", "model", "enum"),
    "event": Set(TraceKind.allCases.map(\.rawValue)),
    "fault": Set(Scenario.Response.Fault.allCases.map(\.rawValue)),
    "strategy": Set(Vocabulary.shipped.strategies),
  ]

  /// Returns the words or keys at a path in the schema.
  private static func words(at path: String...) -> Set<String> {
    let place = path.reduce(ScenarioSchema.json(.shipped) as JSONValue?) { value, key in
      if case .object(let members)? = value { members[key] } else { nil }
    }
    switch place {
    case .object(let members): return Set(members.keys)
    case .list(let items): return Set(items.compactMap { if case .string(let word) = $0 { word } else { nil } })
    default: return []
    }
  }

  private static func collect(from shipped: ShippedScenario, _ used: inout [String: Set<String>]) throws {
    let scenario = try shipped.scenario
    used["strategy", default: []].formUnion(scenario.plannedStrategies)
    var diagnostics = Diagnostics()
    let root = try #require(JSONParser.parse(shipped.file.source, &diagnostics))
    var nodes = [root]
    while let node = nodes.popLast() {
      nodes += node.elements + members(of: node).map(\.value)
      for (key, kind) in [("do", "step"), ("fault", "fault"), ("model", "pool"), ("event", "event")] {
        if let word = node[key]?.word { used[kind, default: []].insert(word) }
      }
    }
    let expectations = root["expect"]?.elements ?? []
    used["expectation", default: []].formUnion(expectations.flatMap(members).map(\.key))
  }

  private static func members(of node: JSONNode) -> [JSONObject.Member] {
    if case .object(let object) = node.content { object.members } else { [] }
  }
}
