import Foundation
import ScheduleExplorerTesting
import TestMachine
import Testing

@testable import ScheduleExplorer

@Suite("Programs on the platform's executors and in a search", .childProcesses, .exploresSwift) struct PlainProgramTests
{
  @Test("A search finds exactly the expected outcomes of each program")
  func search() async {
    await #expect(processExitsWith: .success) {
      let schedules = LongTests.times(300, long: 3000)
      for program in PlainProgram.table {
        let statistics = try exploreSwift(schedules: schedules) { await program.run() }.statistics
        #expect(Set(statistics.outcomes.keys) == program.outcomes, "\(program.name): \(statistics)")
      }
    }
  }

  @Test("A search finds every outcome of plain runs")
  func plain() async {
    await #expect(processExitsWith: .success) {
      let times = LongTests.times(200, long: 20_000)
      for program in PlainProgram.table {
        var outcomes: Set<String> = []
        for _ in 1...times { outcomes.insert(await program.run()) }
        #expect(outcomes.isSubset(of: program.outcomes), "\(program.name)")
      }
    }
  }

  @Test("A search finds every outcome of plain runs with random pauses")
  func noise() async {
    await #expect(processExitsWith: .success) {
      let times = LongTests.times(300, long: 20_000)
      for program in PlainProgram.table {
        var outcomes: Set<String> = []
        ProcessExecutors.replace(by: Noise(), .noise)
        for _ in 1...times where outcomes != program.outcomes { outcomes.insert(await program.run()) }
        ProcessExecutors.putBack()
        #expect(outcomes.isSubset(of: program.outcomes), "\(program.name)")
        if LongTests.areEnabled { #expect(outcomes == program.outcomes, "\(program.name)") }
      }
    }
  }
}

/// A source of random pauses where a search could interrupt threads. The platform's executors run all jobs.
private final class Noise: JobTaker {
  func take(_ job: UnownedJob, on scheduler: SchedulerID, after sleep: Sleep?, isExplored: Bool) -> Bool {
    // The task pauses after it has started or resumed another one.
    rest()
    return false
  }

  func reachPoint(_ point: AsyncPoint) { rest() }
  func waitForLock(_ lock: UInt) -> Bool { false }

  private func rest() {
    guard Int.random(in: 0..<4) == 0 else { return }
    usleep(UInt32.random(in: 0..<300))
  }
}
