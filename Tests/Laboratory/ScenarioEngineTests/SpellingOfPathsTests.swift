import FetcherModel
import Foundation
import ScenarioSamples
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Two Unicode spellings of one letter are equal as `String`, but are two different paths.
@Suite struct SpellingOfPathsTests {
  private static let composed = "/caf\u{E9}.png"
  private static let decomposed = "/cafe\u{301}.png"

  private static let file = SampleScenario.file(
    #"""
    {"scenario": 1, "name": "x", "clocks": ["virtual"],
     "images": [{"id": "A", "path": "\#(composed)"}, {"id": "B", "path": "\#(decomposed)"}],
     "origin": {"routes": [{"path": "\#(composed)", "responses": [{"body": "A", "latency": "300ms"}]},
                           {"path": "\#(decomposed)", "responses": [{"body": "B", "latency": "100ms"}]}]},
     "steps": [{"at": "0ms", "do": "appear"}, {"at": "10ms", "do": "select", "image": "A"},
               {"at": "20ms", "do": "select", "image": "B"}],
     "expect": [{"count": {"event": "request.begin", "path": "\#(decomposed)", "equals": 1}},
                {"never": {"event": "ui.update", "shown": "A"}}]}
    """#)

  @Test(
    "Two Unicode spellings of a path are two routes with two pictures",
    arguments: Vocabulary.shipped.strategies)
  func twoRoutes(strategy: String) throws {
    let scenario = try #require(Self.file.scenario, "\(Self.file.diagnostics.map(\.message))")
    let record = scenario.runVirtually(strategy)
    #expect(InvariantJudge.violations(of: scenario, in: record) == [])
    #expect(scenario.expectations.compactMap { ExpectationJudge(record: record).violations(of: $0).first } == [])
    #expect(record.final.images == ["A": .loaded, "B": .loaded])
    let paths = record.events.filter { $0.kind == .requestBegin }.compactMap { $0[.path].map { ScenarioPath($0) } }
    #expect(paths == [ScenarioPath(Self.composed), ScenarioPath(Self.decomposed)])
    #expect(record.events.last { $0.kind == .uiUpdate }?[.shown] == "B")
  }

  @Test("Two routes with the same spelling of a path are rejected")
  func twins() {
    let route = #"{"path": "\#(Self.composed)", "responses": [{}]}"#
    let file = SampleScenario.file(
      #"{"scenario": 1, "name": "x", "origin": {"routes": [\#(route), \#(route)]}, "steps": [{"at": "0ms", "do": "appear"}]}"#
    )
    #expect(file.diagnostics.map(\.message).contains { $0.contains("has two routes") })
  }

  @Test("A slash with a combining mark still ends a path segment")
  func combiningMarks() {
    let node = JSONNode(content: .string("/a/../\u{301}b"), range: 0..<1)
    var reading = Reading(
      SourceText(path: "x", bytes: []), Diagnostics(), .sample, name: nil, validateFile: { _ in nil })
    #expect(ValueKind.path.read(node, &reading) == nil)
  }
}
