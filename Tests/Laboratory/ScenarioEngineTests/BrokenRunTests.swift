import Foundation
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Runs on the virtual clock with a network that is itself defective.
@Suite(.computing) struct BrokenRunTests {
  private func run(_ strategy: String, _ mistake: BrokenNetwork.Mistake) throws -> (ScenarioOutcome, RunRecord) {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "clocks": ["virtual"], "images": [{"id": "A", "path": "/a.png"}],
       "steps": [{"at": "0ms", "do": "appear"}, {"at": "0ms", "do": "select", "image": "A"}],
       "expect": [{"never": {"event": "request.end"}}]}
      """#)
    var scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    if mistake == .escape { scenario.expectations = [] }
    let runner = VirtualScenarioRunner(scenario: scenario, folder: packageRoot)
    let record = runner.run(strategy) { runtime, _, _ in
      BrokenNetwork(
        mistake: mistake, simulated: SimulatedNetwork(ScenarioOrigin(scenario, folder: packageRoot), runtime),
        runtime: runtime)
    }
    return (ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .virtual, record), record)
  }

  @Test("A request that never ends fails the run, even after its fetch was abandoned")
  func silence() throws {
    let (outcome, record) = try run("dataTask", .silence)
    #expect(record.termination == .fetching)
    #expect(
      outcome.failures.map(\.message) == [
        #"end: the run went idle before it was complete; still in flight: a request for "/a.png""#
      ])
  }

  @Test("A deadlock fails the run, and the failure names the blocked scheduler")
  func deadlock() throws {
    let (outcome, record) = try run("blocking", .deadlock)
    #expect(record.termination == .deadlocked(waiting: ["workers"]))
    #expect(outcome.failures.map(\.expectation) == ["deadlock"])
    #expect(outcome.failures.first?.message.hasPrefix("deadlock: blocked forever: workers") == true)
  }

  @Test("A livelock ends the run at the closure limit, and is the only failure")
  func livelock() throws {
    let (outcome, record) = try run("dataTask", .livelock)
    #expect(record.termination == .endless(.closuresAtOnce(100_000)))
    #expect(record.final.images["A"] == .fetching)
    #expect(outcome.failures.map(\.expectation) == ["livelock"])
  }

  @Test(
    "Work that leaves the virtual runtime and returns to it fails the run", arguments: Vocabulary.shipped.strategies)
  func escape(_ strategy: String) throws {
    let (outcome, record) = try run(strategy, .escape)
    #expect(record.foreignCalls == 1)
    #expect(record.final.images["A"] == .loaded, "the run itself completed")
    #expect(
      outcome.failures.map(\.message) == [
        "virtual time: not deterministic: calls from threads outside the run (1); schedule all asynchronous work "
          + "on the environment's runtime"
      ])
  }
}
