import Foundation
import ScenarioSamples
import TestMachine
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Runs on the virtual clock that do not come to their end, or not by themselves.
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

  @Test("A request that nobody ends fails the run, although nobody waits for it any more")
  func silence() throws {
    let (outcome, record) = try run("dataTask", .silence)
    #expect(record.cut == .fetching)
    #expect(
      outcome.failures.map(\.message) == [
        #"end: nothing is left to do, and it has not come; still under way: a request for "/a.png""#
      ])
  }

  @Test("A deadlock fails the run, and names the place")
  func deadlock() throws {
    let (outcome, record) = try run("blocking", .deadlock)
    #expect(record.cut == .deadlocked(waiting: ["workers"]))
    #expect(outcome.failures.map(\.expectation) == ["deadlock"])
    #expect(outcome.failures.first?.message.hasPrefix("deadlock: nothing can go on: workers wait") == true)
  }

  @Test("A livelock fails the run, names its number, and nothing that it kept from ending is held against it")
  func livelock() throws {
    let (outcome, record) = try run("dataTask", .livelock)
    #expect(record.cut == .endless(.closuresAtOnce(100_000)))
    #expect(record.final.images["A"] == .fetching)
    #expect(outcome.failures.map(\.expectation) == ["livelock"])
  }

  @Test("Work that leaves virtual time and comes back fails the run", arguments: Vocabulary.shipped.strategies)
  func escape(_ strategy: String) throws {
    let (outcome, record) = try run(strategy, .escape)
    #expect(record.foreignCalls == 1)
    #expect(record.final.images["A"] == .loaded, "the run itself came to its end")
    #expect(
      outcome.failures.map(\.message) == [
        "virtual time: left by work that came back from outside of the run (calls: 1), so that it is not the same every "
          + "time; do all asynchronous work through the runtime of the environment"
      ])
  }
}
