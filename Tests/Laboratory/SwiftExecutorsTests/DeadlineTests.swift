import ScheduleExplorer
import ScheduleExplorerTesting
import TestMachine
import Testing

@Suite("The time limit of a search", .childProcesses, .exploresSwift) struct DeadlineTests {
  /// The maximum duration of a search whose limit is one second. A machine that runs other tests as well needs longer.
  private static let limit = Duration.seconds(LongTests.areEnabled ? 2 : 30)

  @Test(
    "A search with a limit of one second reports in time, whatever the size of the program",
    arguments: LongTests.some(of: [(40, 10), (100, 20), (1, 3000)], every: 3))
  func tasks(count: Int, yields: Int) async {
    await #expect(processExitsWith: .success) { [count, yields] in
      let begun = ContinuousClock.now
      let failure = #expect(throws: ExplorationFailure.self) {
        try exploreSwift(for: .seconds(1), search: .random, maximumSteps: 100_000) { @MainActor in
          let finish = Finish()
          await withTaskGroup { group in
            for number in 0..<count {
              group.addTask {
                for _ in 0..<yields { await Task.yield() }
                await finish.add(number)
              }
            }
          }
          try check(count > 1 && finish.order == finish.order.sorted(), "\(finish.order.prefix(3))")
        }
      }
      #expect(begun.duration(to: .now) < Self.limit)
      #expect(failure.map { $0.isMinimal || "\($0)".contains("it has at least") } == true)
    }
  }

  @Test("A search ends in time if a task yields until it is cancelled")
  func yields() async {
    await #expect(processExitsWith: .success) {
      let begun = ContinuousClock.now
      let statistics = try exploreSwift(for: .seconds(1)) {
        let loop = Task { while !Task.isCancelled { await Task.yield() } }
        await Task.yield()
        loop.cancel()
        await loop.value
      }.statistics
      #expect(begun.duration(to: .now) < Self.limit)
      #expect(statistics.failing == 0)
    }
  }
}

@MainActor private final class Finish {
  private(set) var order: [Int] = []

  func add(_ number: Int) { order.append(number) }
}
