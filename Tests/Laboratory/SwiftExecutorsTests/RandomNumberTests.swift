import Foundation
import ScheduleExplorer
import ScheduleExplorerTesting
import Synchronization
import TestMachine
import Testing

@Suite("Random numbers in explored code", .childProcesses, .exploresSwift) struct RandomNumberTests {
  @Test("Random schedules draw different numbers, even if there is only one order")
  func varied() async {
    await #expect(processExitsWith: .success) {
      let statistics = try exploreSwift(schedules: 60) { Int.random(in: 1...3) }.statistics
      #expect(Set(statistics.outcomes.keys) == ["1", "2", "3"], "\(statistics)")
      #expect(statistics.drawsNumbers && statistics.distinctSchedules > 10)
      // The statement that all orders ran would be true, but not about the numbers.
      #expect(statistics.bound.map { "\($0)" }?.hasPrefix("1 order of jobs") == true, "\(statistics)")
    }
  }

  @Test("A token repeats the random numbers of its schedule")
  func repeated() async {
    await #expect(processExitsWith: .success) {
      let draw: @Sendable () async throws -> Void = {
        let number = Int.random(in: 1...1_000_000)
        try check(number > 200_000, "\(number)")
      }
      let failure = try #require(throws: ExplorationFailure.self) { try exploreSwift(draw) }
      #expect(failure.token.description.contains("~"), "\(failure.token)")
      #expect(failure.leastDeviations == 0 && "\(failure)".contains("with the random numbers of this run"))
      for _ in 1...3 {
        let again = try #require(throws: ExplorationFailure.self) {
          try exploreSwift(replaying: "\(failure.token)", draw)
        }
        #expect(again.finding == failure.finding)
      }
    }
  }

  @Test("If the code draws no random number, the search ends after all orders, and a token has no seed")
  func unused() async {
    await #expect(processExitsWith: .success) {
      let statistics = try exploreSwift { await Task { 1 }.value }.statistics
      #expect(!statistics.drawsNumbers && statistics.schedules < 100, "\(statistics)")
      let failure = try #require(throws: ExplorationFailure.self) { try exploreSwift { try check(false) } }
      #expect(failure.token.description.hasPrefix("E1.-."))
    }
  }

  @Test("A UUID is unique in each schedule, so that names of files do not collide")
  func identifiers() async {
    await #expect(processExitsWith: .success) {
      let seen = Mutex<Set<UUID>>([])
      let program: @Sendable () async -> Void = { _ = seen.withLock { $0.insert(UUID()) } }
      let statistics = try exploreSwift(schedules: 20, search: .random, program).statistics
      // The determinism of the program is checked first, in six runs.
      #expect(seen.withLock(\.count) == statistics.schedules + 6)
    }
  }
}
