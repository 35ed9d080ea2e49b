import ScheduleExplorer
import ScheduleExplorerTesting
import TestMachine
import Testing

@Suite("Programs that read clocks", .childProcesses, .exploresSwift) struct ClockProgramTests {
  @Test("For a program that reads a clock, a search finds only the outcome of plain runs")
  func search() async {
    await #expect(processExitsWith: .success) {
      for program in ClockProgram.table {
        let statistics = try exploreSwift(schedules: 300) { try await program.run() }.statistics
        #expect(Set(statistics.outcomes.keys) == [program.outcome], "\(program.name): \(statistics)")
      }
    }
  }
}
