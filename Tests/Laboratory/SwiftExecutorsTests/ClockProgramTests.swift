import ScheduleExplorerTesting
import TestMachine
import Testing

@testable import ScheduleExplorer

@Suite("Programs that read clocks", .childProcesses, .exploresSwift) struct ClockProgramTests {
  @Test("For a program that reads a clock, a search finds only the outcome of plain runs")
  func search() async {
    await #expect(processExitsWith: .success) {
      for program in ClockProgram.table + [.nearSleeps] {
        let statistics = try exploreSwift(schedules: 300) { try await program.run() }.statistics
        #expect(Set(statistics.outcomes.keys) == [program.outcome], "\(program.name): \(statistics)")
      }
    }
  }

  @Test("Plain runs of a program that reads a clock have the outcome of the search", .long)
  func plain() async throws {
    for program in ClockProgram.table {
      let outcomes = try await withThrowingTaskGroup { group in
        for _ in 0..<50 { group.addTask { try await program.run() } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(outcomes == [program.outcome], "\(program.name)")
    }
  }

  @Test("A search without hooks reports that the clocks are real")
  func withoutHooks() {
    var statistics = Statistics()
    Remarks().complete(&statistics, interrupts: false, timing: .exact, hasHooks: false)
    #expect(statistics.description.contains("not varied the clocks that the code reads: they show real time"))
  }
}
