import Foundation
import ScenarioSamples
import Synchronization
import TestMachine
import Testing
import VirtualTime

@testable import ScenarioEngine
@testable import ScenarioFormat

/// Runs of a scenario with a schedule policy from the test.
@Suite struct ScheduleTests {
  /// A policy that runs responses after everything except timers, and the newest response first.
  private final class LastAnswerFirst: SchedulePolicy {
    let choices = Atomic(0)

    func choose(from ready: ReadySet) -> Int {
      choices.add(1, ordering: .relaxed)
      let isAnswer = { ready[$0].kind == .completion }
      return (0..<ready.count).first { !isAnswer($0) && ready[$0].kind != .timer }
        ?? (0..<ready.count).last(where: isAnswer) ?? 0
    }
  }

  private static func prepared() throws -> VirtualScenarioRunner {
    let file = SampleScenario.file(
      #"""
      {"scenario": 1, "name": "x", "timing": "any",
       "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}],
       "origin": {"default": {"latency": "60ms"}},
       "steps": [
        {"at": "0ms", "do": "appear", "view": "left"}, {"at": "0ms", "do": "select", "image": "A", "view": "left"},
        {"at": "0ms", "do": "appear", "view": "right"}, {"at": "0ms", "do": "select", "image": "B", "view": "right"}]}
      """#)
    let scenario = try #require(file.scenario, "\(file.diagnostics.map(\.message))")
    return VirtualScenarioRunner(scenario: scenario, folder: packageRoot)
  }

  private func ends(_ record: RunRecord) -> [String?] {
    record.events.filter { $0.kind == .fetchDone }.map { $0[.image] }
  }

  @Test(
    "A policy can reorder two responses only with free timing",
    arguments: ["dataTask", "downloadTask", "async", "socket"])
  func orders(_ strategy: String) throws {
    let runner = try Self.prepared()
    let policy = LastAnswerFirst()
    #expect(ends(runner.run(strategy)) == ["A", "B"])
    #expect(ends(runner.run(strategy, VirtualSchedule(timing: .any, policy: policy))) == ["B", "A"])
    #expect(policy.choices.load(ordering: .relaxed) > 0)
    for _ in 0..<20 {
      #expect(ends(runner.run(strategy, VirtualSchedule(timing: .exact, policy: LastAnswerFirst()))) == ["A", "B"])
    }
  }

  @Test("Free timing without a policy produces the same run as exact timing", arguments: Vocabulary.shipped.strategies)
  func firstInFirstOut(_ strategy: String) throws {
    let runner = try Self.prepared()
    #expect(runner.run(strategy, VirtualSchedule(timing: .any)).events == runner.run(strategy).events)
  }

  @Test("A prepared runner produces the same run every time", arguments: ["dataTask", "async", "socket"])
  func again(_ strategy: String) throws {
    let runner = try Self.prepared()
    let first = runner.run(strategy).events
    #expect((0..<20).allSatisfy { _ in runner.run(strategy).events == first })
  }
}
