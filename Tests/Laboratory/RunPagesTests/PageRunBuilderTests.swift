import Foundation
import RunPages
import ScenarioEngine
import ScenarioFormat
import ScheduleExplorer
import TestMachine
import Testing

/// The rows, bars and arrows of scenarios from the folder.
@Suite(.computing) struct PageRunBuilderTests {
  private static func page(_ name: String, _ strategy: String) throws -> (run: PageRun, record: RunRecord) {
    let url = packageRoot.appending(path: "scenarios/\(name).json")
    let file = try ScenarioFile(path: url.path)
    let scenario = try #require(file.scenario)
    let runner = VirtualScenarioRunner(
      scenario: scenario, folder: url.deletingLastPathComponent(), showsBus: true)
    let recorded = RecordedScenario(runner, strategy) { VirtualSchedule(policy: $0.policy, observer: $0.observer) }
    let outcome = ScenarioOutcome(of: scenario, file.source, strategy: strategy, clock: .virtual, recorded.record)
    let run = PageRunBuilder.page(
      id: strategy, name: strategy, recorded.record, recorded.items, outcome, scenario, file.source)
    return (run, recorded.record)
  }

  @Test("Each shown event of a run has a row, in the same order") func rows() throws {
    let (run, record) = try Self.page("late-response", "dataTask")
    #expect(run.rows.map(\.number) == record.shown.map(\.number))
    #expect(run.rows.map(\.time) == record.shown.map(\.event.time))
    #expect(run.isPassed && run.failingRow == nil)
    #expect(run.views == ["detail"])
  }

  @Test("A row names the line of its step and the items that were ready") func sources() throws {
    let (run, _) = try Self.page("late-response", "dataTask")
    #expect(run.rows.allSatisfy { $0.source != nil })
    #expect(run.rows.contains { $0.ready.count > 1 } || run.rows.contains { $0.ready.count == 1 })
  }

  @Test("A post without a subscriber has an open end, and a delivered post has an arrow") func deliveries() throws {
    let (run, _) = try Self.page("late-response", "dataTask")
    let posts = run.rows.indices.filter { run.rows[$0].text.hasPrefix("ImageFetched ") && run.rows[$0].shape == .post }
    #expect(posts.map { run.rows[$0].isOpen } == [false, true])
    #expect(run.arrows.map(\.start) == [posts[0]])
    let bar = try #require(run.arrows.first?.bar)
    #expect(run.bars[bar].label == "detail: ImageFetched B")
  }

  @Test("A change of the network is one row of the user with the new values") func network() throws {
    let (run, _) = try Self.page("slow-then-fast", "dataTask")
    let rows = run.rows.filter { $0.text.contains("network") }
    #expect(rows.map(\.text) == ["the network changes: latency 900ms", "the network changes: as scripted"])
    #expect(rows.allSatisfy { $0.lane == .user && $0.shape == .step })
  }

  @Test("A blocking read appears as a request and as a blocked worker") func blocked() throws {
    let (run, _) = try Self.page("late-response", "blocking")
    let count = { (kind: PageBar.Kind) in run.bars.count { $0.kind == kind } }
    #expect(count(.request) == 2)
    #expect(count(.blocked) == 2)
    #expect(run.bars.filter { $0.kind == .fetch }.allSatisfy { $0.result == .success && $0.end != nil })
  }

  @Test("The bars and arrows of a shipped scenario stay within its rows") func shipped() throws {
    for name in ["fault-reset", "bus-two-pages", "cancel-in-time", "system-slideshow"] {
      let (run, record) = try Self.page(name, "dataTask")
      #expect(run.rows.count == record.shown.count)
      for bar in run.bars { #expect(run.rows.indices.contains(bar.start) && bar.end ?? 0 < run.rows.count) }
      for arrow in run.arrows { #expect(arrow.start < arrow.end) }
    }
  }
}
