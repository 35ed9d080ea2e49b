import Foundation
import OriginServer
import Testing

@testable import FetcherApp

extension ViewsOverSockets {
  @Suite struct ScenarioTests {
    @Test(arguments: ["late-response", "disappear-early"])
    func theShippedScenariosHoldWithEachStrategy(_ name: String) async throws {
      let path = packageRoot.appending(path: "scenarios/\(name).json").path
      let scenario = try ScenarioReader.read(path)
      let origin = try OriginServer(content: OriginContent())
      for strategy in scenario.strategies {
        let outcome = try await ScenarioRunner(scenario: scenario, origin: origin).run(strategy)
        #expect(outcome.failures.map(\.message) == [], "\(strategy)")
      }
      #expect(scenario.strategies == Fixture.strategies)
    }

    @Test func aStepThatSwitchesAppliesToTheNextFetch() async throws {
      let text = """
        {"scenario": 1, "name": "x", "images": [{"id": "A", "path": "/a.png"}],
         "steps": [{"at": "0ms", "do": "switch", "strategy": "async"}, {"at": "0ms", "do": "appear"},
                   {"at": "1ms", "do": "select", "image": "A"}],
         "expect": [{"final": {"detail.shown": "A"}}, {"count": {"event": "origin.request", "atLeast": 2}}]}
        """
      let scenario = try ScenarioReader().scenario(Data(text.utf8))
      let origin = try OriginServer(content: OriginContent())
      let outcome = try await ScenarioRunner(scenario: scenario, origin: origin).run("dataTask")
      #expect(outcome.failures.map(\.message) == ["count origin.request: expected at least 2, got 1"])
      #expect(outcome.failures.map(\.expectation) == ["expect[1].count"])
    }

    @Test(arguments: [
      ("{", "no valid JSON; check its brackets, commas and quotes"),
      (#"{"scenario": 2, "name": "x", "steps": []}"#, "scenario: must be a whole number from 1 to 1"),
      (#"{"scenario": 1, "name": "x"}"#, #""steps" is missing"#),
      (#"{"scenario": 1, "nmae": "x", "steps": []}"#, #"unknown key "nmae"; did you mean "name"?"#),
      (
        #"{"scenario": 1, "name": "x", "steps": [{"at": 5, "do": "appear"}]}"#,
        #"steps[0].at: a duration needs a unit, as in "30ms"; this is a number"#
      ),
      (
        #"{"scenario": 1, "name": "x", "steps": [{"at": "0ms", "do": "apear"}]}"#,
        #"steps[0].do: unknown step "apear"; did you mean "appear"?"#
      ),
      (
        #"{"scenario": 1, "name": "x", "steps": [{"at": "0ms", "do": "select", "image": "Z"}], "images": []}"#,
        #"steps[0].image: unknown image "Z"; there are "#
      ),
      (
        #"{"scenario": 1, "name": "x", "steps": [{"at": "9ms", "do": "appear"}, {"at": "1ms", "do": "disappear"}]}"#,
        "steps[1]: time goes backwards: this step is before the one above it"
      ),
      (
        #"{"scenario": 1, "name": "x", "steps": [{"after": "a", "do": "appear"}]}"#,
        #"steps[0].after: there is no step "a" above"#
      ),
      (
        #"{"scenario": 1, "name": "x", "steps": [], "expect": [{"count": {"event": "ui.update", "atLeast": 0}}]}"#,
        #"expect[0].count: can never fail: give "equals", "atMost", or "atLeast" above 0"#
      ),
    ])
    func aMistakeIsNamedWithItsPlace(_ text: String, _ message: String) {
      let error = #expect(throws: ScenarioError.self) { try ScenarioReader().scenario(Data(text.utf8)) }
      #expect(error?.description == message)
    }
  }
}
