import EventBus
import Foundation
import Harness
import ScheduleExplorer
import Synchronization
import VirtualTime

/// The speed of the schedule explorer.
enum ExplorerRows {
  static var all: [Row] {
    [
      Row(
        "schedules-closures", "explore a schedule of 25 closures",
        [.ours("ScheduleExplorer", atMost: 50_000) { explore(closures) }]),
      Row(
        "schedules-async", "explore a schedule of 25 task jobs",
        [.ours("ScheduleExplorer", atMost: 100_000) { explore(jobs) }]),
      Row(
        "schedules-blocking", "explore a schedule with 2 waits at gates",
        [.ours("ScheduleExplorer", atMost: 333_333) { explore(waits) }]),
      Row(
        "schedules-swift", "explore 20,000 schedules of 10 jobs of unmodified Swift code",
        // A search of 20,000: its first schedule waits 20 ms for threads that return late.
        [.ours("ScheduleExplorer", atMost: 400_000_000) { { exploreSwift($0 * 20_000) } }]),
      Row(
        "schedules-memory", "memory added by 1,000,000 schedules of Swift code, after 200,000", unit: .bytes,
        [.count("ScheduleExplorer", atMost: 4_194_304, memoryOfSwift)]),
    ]
  }

  /// Starts a program, and returns the number of steps that it will run.
  private typealias Program = (VirtualRuntime, Steps) -> Int

  private final class Steps: Sendable {
    private let stored = Atomic(0)
    var count: Int { stored.load(ordering: .relaxed) }
    func add() { stored.add(1, ordering: .relaxed) }
  }

  private static func explore(_ program: @escaping Program) -> Contender.Work {
    { repetitions in
      var explorer = Explorer()
      (explorer.schedules, explorer.search, explorer.verifiesDeterminism) = (repetitions, .random, false)
      let exploration = explorer.explore { schedule in
        let runtime = VirtualRuntime(
          pool: .fixed(width: 4), policy: schedule.policy, observer: schedule.observer)
        let steps = Steps()
        let expected = program(runtime, steps)
        runtime.run()
        require(steps.count == expected, "only \(steps.count) of \(expected) steps ran")
        runtime.close()
        return Verdict()
      }
      require(exploration.failure == nil, "a schedule failed")
    }
  }

  private static func exploreSwift(_ schedules: Int) {
    var explorer = Explorer()
    (explorer.schedules, explorer.search, explorer.verifiesDeterminism) = (schedules, .random, false)
    do {
      let statistics = try explorer.exploreSwift {
        async let one: Void = Task.yield()
        async let two: Void = Task.yield()
        await Task.yield()
        await Task.yield()
        _ = await (one, two)
      }.statistics
      require(statistics.schedules == schedules && statistics.steps.least >= 10, "\(schedules): \(statistics)")
    } catch {
      fatalError("\(error)")
    }
  }

  private static func memoryOfSwift() -> Double? {
    exploreSwift(200_000)
    guard let before = residentMemory else { return nil }
    exploreSwift(1_000_000)
    return residentMemory.map { max(0, $0 - before) }
  }

  /// The resident memory in bytes, or nil if the system does not report it.
  private static var residentMemory: Double? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Double(fields[1]).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }

  private static func closures(_ runtime: VirtualRuntime, _ steps: Steps) -> Int {
    @Sendable func next(_ place: any Scheduler, _ left: Int) {
      place.schedule {
        steps.add()
        if left > 1 { next(place, left - 1) }
      }
    }
    for place in [runtime.main, runtime.serial("a"), runtime.serial("b"), runtime.workers, runtime.main] {
      next(place, 5)
    }
    return 25
  }

  private static func jobs(_ runtime: VirtualRuntime, _ steps: Steps) -> Int {
    for _ in 0..<5 {
      _ = runtime.task {
        for number in 0..<5 {
          if number > 0 { await Task.yield() }
          steps.add()
        }
      }
    }
    return 25
  }

  private static func waits(_ runtime: VirtualRuntime, _ steps: Steps) -> Int {
    for _ in 0..<2 {
      let gate = runtime.gate()
      runtime.workers.schedule {
        gate.wait()
        steps.add()
      }
      runtime.main.schedule { gate.open() }
    }
    return 2
  }
}
