import ScheduleExplorer
import ScheduleExplorerTesting
import TestMachine
import Testing

@Suite("Programs that read clocks", .childProcesses, .exploresSwift) struct ClockProgramTests {
  @Test("A search finds the outcome of plain runs, and no other one")
  func search() async {
    await #expect(processExitsWith: .success) {
      for program in ClockProgram.table {
        let statistics = try exploreSwift(schedules: 300) { try await program.run() }.statistics
        #expect(Set(statistics.outcomes.keys) == [program.outcome], "\(program.name): \(statistics)")
      }
    }
  }
}
