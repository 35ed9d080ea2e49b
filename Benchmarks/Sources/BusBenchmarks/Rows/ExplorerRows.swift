import EventBus
import Harness
import ScheduleExplorer
import Synchronization
import VirtualTime

/// How fast the schedule explorer runs one schedule after the other.
enum ExplorerRows {
  static var all: [Row] {
    [
      Row(
        "schedules-closures", "explore a schedule of 25 closures",
        [.ours("ScheduleExplorer", atMost: 50_000) { explore(closures) }]),
      Row(
        "schedules-async", "explore a schedule of 25 jobs of tasks",
        [.ours("ScheduleExplorer", atMost: 100_000) { explore(jobs) }]),
      Row(
        "schedules-blocking", "explore a schedule of 2 waits at gates",
        [.ours("ScheduleExplorer", atMost: 333_333) { explore(waits) }]),
    ]
  }

  /// Starts a program, and returns how many things it will have done.
  private typealias Program = (VirtualRuntime, Steps) -> Int

  private final class Steps: Sendable {
    private let stored = Atomic(0)
    var count: Int { stored.load(ordering: .relaxed) }
    func add() { stored.add(1, ordering: .relaxed) }
  }

  private static func explore(_ program: @escaping Program) -> Contender.Work {
    { repetitions in
      var explorer = Explorer()
      (explorer.schedules, explorer.search, explorer.checksDeterminism) = (repetitions, .random, false)
      let exploration = explorer.explore { schedule in
        let runtime = VirtualRuntime(
          pool: .fixed(width: 4), policy: schedule.policy, observer: schedule.observer)
        let steps = Steps()
        let expected = program(runtime, steps)
        runtime.run()
        precondition(steps.count == expected, "Only \(steps.count) of \(expected) steps ran.")
        runtime.close()
        return Verdict()
      }
      precondition(exploration.failure == nil, "A schedule failed.")
    }
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
