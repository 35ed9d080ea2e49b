import ScheduleExplorer
import TestMachine
import Testing
import VirtualTime

@Suite("Bugs planted in copies of the model and the bus", .computing) struct PlantedBugTests {
  private func explore(
    _ bug: PlantedBug, isMended: Bool = false
  ) throws -> Exploration {
    try ScheduleExplorer.explore(schedules: 2000, timing: .any) { runtime in
      bug.start(runtime, isMended: isMended)
    }
  }

  @Test(
    "The search finds each planted bug, and minimizes it to at most three deviations", arguments: PlantedBug.allCases)
  func found(_ bug: PlantedBug) throws {
    let failure = try #require(throws: ExplorationFailure.self, "\(bug)") { try explore(bug) }
    #expect(failure.isMinimal)
    #expect((1...3).contains(failure.token.deviations.cost), "\(failure)")
    #expect(failure.flippedPair != nil)
  }

  @Test("The search runs every schedule of a repaired copy, and finds no bug", arguments: PlantedBug.allCases)
  func mended(_ bug: PlantedBug) throws {
    let statistics = try explore(bug, isMended: true).statistics
    #expect(statistics.schedules >= 3)
    #expect(statistics.bound?.isEverything == true, "\(statistics)")
  }

  @Test("A repaired copy passes in the order in which the bug fails", arguments: PlantedBug.allCases)
  func order(_ bug: PlantedBug) throws {
    let failure = try #require(throws: ExplorationFailure.self) { try explore(bug) }
    let token = try #require(failure.orderToken)
    try ScheduleExplorer.explore(timing: .any, replaying: "\(token)") { bug.start($0, isMended: true) }
  }

  @Test("At least one of four shards finds each planted bug", arguments: PlantedBug.allCases)
  func shards(_ bug: PlantedBug) throws {
    let shards: [Shard] = ["1/4", "2/4", "3/4", "4/4"]
    let isFound = shards.contains { shard in
      let search = try? ScheduleExplorer.explore(schedules: 200, timing: .any, shard: shard) { runtime in
        bug.start(runtime, isMended: false)
      }
      return search == nil
    }
    #expect(isFound)
  }

  /// Detects that a search algorithm has become worse.
  @Test("Each search algorithm finds each planted bug in at most 32 schedules", arguments: PlantedBug.allCases)
  func policies(_ bug: PlantedBug) throws {
    var explorer = Explorer()
    (explorer.schedules, explorer.explaining, explorer.minimizing) = (32, 0, 0)
    for search in [Search.bounded(3), .random, .walk, .pct(depth: 2), .pct(depth: 3), .pos] {
      explorer.search = search
      let exploration = explorer.explore { schedule in
        let runtime = VirtualRuntime(timing: .any, policy: schedule.policy, observer: schedule.observer)
        defer { runtime.close() }
        let check = bug.start(runtime, isMended: false)
        runtime.run()
        do { return Verdict(outcome: try check()) } catch { return Verdict(finding: error as? Finding) }
      }
      #expect(exploration.failure?.finding.kind == .check, "\(search) of \(bug)")
    }
  }
}
