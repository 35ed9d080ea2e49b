import ScheduleExplorer
import ScheduleExplorerTesting
import TestMachine
import Testing
import VirtualTime

@Suite("Unmodified programs", .childProcesses, .exploresSwift) struct ProgramTests {
  @Test("A search minimizes and replays each bug, and each repair passes")
  func table() async {
    await #expect(processExitsWith: .success) {
      for pair in LongTests.some(of: ProgramPair.table, every: 4) { try pair.explore() }
    }
  }

  @Test("Exploring leaves the platform's executors unchanged")
  func leavesNothingBehind() async {
    await #expect(processExitsWith: .success) {
      let before = await ProgramPair.outcomesOnPlatform(times: 30)
      for pair in ProgramPair.table { try exploreSwift(schedules: 20, timing: pair.timing, pair.outcome(pair.broken)) }
      let after = await ProgramPair.outcomesOnPlatform(times: 30)
      #expect(before == ProgramPair.table.map { Array(repeating: $0.right, count: 30) })
      #expect(after == before)
    }
  }
}

extension ProgramPair {
  private var schedules: Int { LongTests.times(300, long: 30_000) }
  private var replays: Int { LongTests.times(3, long: 500) }

  func outcome(_ body: @escaping Body) -> @Sendable () async -> String {
    { await body { await untilIdle() } }
  }

  private func judged(_ body: @escaping Body) -> @Sendable () async throws -> Void {
    { [right] in
      let outcome = await body { await untilIdle() }
      try check(outcome == right, outcome)
    }
  }

  fileprivate func explore() throws {
    let all = try exploreSwift(schedules: schedules, timing: timing, outcome(broken)).statistics
    #expect(Set(all.outcomes.keys) == outcomes, "\(name): \(all.outcomes.keys.sorted())")
    if let counts { try expect(counts.broken, ordersOf: outcome(broken)) }

    let failure = try #require(throws: ExplorationFailure.self, "\(name)") {
      try exploreSwift(schedules: schedules, timing: timing, judged(broken))
    }
    #expect(failure.finding.kind == .check && failure.isMinimal, "\(name): \(failure)")
    #expect(failure.token.deviations.cost == cost, "\(name): \(failure)")

    for _ in 1...replays {
      let replayed = #expect(throws: ExplorationFailure.self, "\(name)") {
        try exploreSwift(timing: timing, replaying: "\(failure.token)", judged(broken))
      }
      guard replayed?.finding == failure.finding, replayed?.token == failure.token else {
        Issue.record("\(name): the replay is another run:\n\(failure)\n\(String(describing: replayed))")
        return
      }
    }

    try exploreSwift(schedules: schedules, timing: timing, judged(repaired))
    if let counts { try expect(counts.repaired, ordersOf: judged(repaired)) }
  }

  /// Expects that a search of whole jobs runs this number of orders.
  private func expect<Outcome: Sendable>(
    _ count: Int, ordersOf body: @escaping @Sendable () async throws -> Outcome
  ) throws {
    var explorer = Explorer()
    (explorer.search, explorer.interruptsJobs) = (.bounded(.max), false)
    let statistics = try explorer.exploreSwift(timing: timing, body).statistics
    #expect(statistics.bound?.isEverything == true && statistics.schedules == count, "\(name): \(statistics)")
  }

  /// Returns the outcomes of the repaired programs on the platform's executors, where all of them run concurrently.
  fileprivate static func outcomesOnPlatform(times: Int) async -> [[String]] {
    var outcomes = table.map { _ in [String]() }
    await withTaskGroup(of: (Int, String).self) { group in
      for (number, pair) in table.enumerated() {
        for _ in 1...times {
          // The wait is longer than the sleeps of the programs that use it.
          group.addTask { (number, await pair.repaired { try? await Task.sleep(for: .seconds(1)) }) }
        }
      }
      for await (number, outcome) in group { outcomes[number].append(outcome) }
    }
    return outcomes
  }
}
