import Harness
import ScheduleExplorer

/// The speed of a search that can interrupt jobs. An interruption hands the run over to another thread.
enum InterruptionRows {
  static var all: [Row] {
    [
      row(
        "uninterrupted", "explore 20,000 schedules of ten tasks, without interruptions", perSecond: 15_000, detached: 0),
      row(
        "interrupted", "explore 20,000 schedules of ten tasks, with two interruptions on average", perSecond: 5000,
        detached: 4),
    ]
  }

  /// The first schedule of a search waits 20 ms for threads that return late, so one operation is a whole search.
  private static let schedules = 20_000

  private static func row(_ name: String, _ work: String, perSecond goal: Double, detached: Int) -> Row {
    Row(
      "search-\(name)", work, unit: .milliseconds,
      [
        .ours("ScheduleExplorer", atMost: (Double(schedules) / goal * 1000).rounded()) {
          { search($0, detached: detached) }
        }
      ])
  }

  /// A task on main can be interrupted only where a task that runs elsewhere is ready: after it has started such a task.
  private static func search(_ repetitions: Int, detached: Int) {
    for _ in 0..<repetitions {
      var explorer = Explorer()
      (explorer.schedules, explorer.search, explorer.verifiesDeterminism) = (schedules, .random, false)
      do {
        let statistics = try explorer.exploreSwift { await tasks(detached: detached) }.statistics
        require(
          statistics.schedules == schedules && (statistics.choices.most > 0) == (detached > 0), "\(statistics)")
      } catch {
        fatalError("\(error)")
      }
    }
  }

  @MainActor private static func tasks(detached: Int) async {
    var count = 0
    for _ in detached..<10 { Task { @MainActor in count += 1 } }
    for _ in 0..<detached { Task.detached {} }
    // Awaiting each task would add choices.
    await untilIdle()
    require(count == 10 - detached, "only \(count) tasks ran")
  }
}
