import EventBus
import Foundation
import ScheduleExplorer
import TestMachine
import Testing
import VirtualTime

@Suite("The explanation of a failure", .computing) struct ExplanationTests {
  /// Fails if b runs before a. The choices before and after these two items do not matter.
  private func race(_ schedule: Schedule) -> Verdict {
    let runtime = VirtualRuntime(policy: schedule.policy, observer: schedule.observer)
    defer { runtime.close() }
    let (log, a, b) = (Log(), runtime.serial("a"), runtime.serial("b"))
    for scheduler in ["x", "y"] { runtime.serial(scheduler).schedule { log.add(scheduler) } }
    _ = runtime.main.schedule(after: .seconds(1)) {
      for (name, scheduler) in [("a", a), ("b", b)] {
        scheduler.schedule {
          runtime.note("run \(name)")
          log.add(name)
        }
      }
    }
    _ = runtime.main.schedule(after: .seconds(2)) {
      for scheduler in ["v", "w"] { runtime.serial(scheduler).schedule { log.add(scheduler) } }
    }
    runtime.run()
    let fails = log.all.firstIndex(of: "b") ?? 0 < log.all.firstIndex(of: "a") ?? 0
    return Verdict(finding: fails ? Finding(.check, "b before a") : nil, steps: runtime.steps)
  }

  @Test("The report names the item after which the share of failing runs rises most")
  func pointOfNoReturn() throws {
    let failure = try #require(Explorer().explore(race).failure)
    let point = try #require(failure.pointOfNoReturn)
    #expect(point.ends == 200)
    #expect(point.shares.map(\.step) == [0, 1, 4, 7])
    #expect((0.4...0.6).contains(point.shares[0].failing))
    #expect((0.4...0.6).contains(point.shares[1].failing))
    #expect(point.shares[2].failing == 1 && point.shares[3].failing == 1)
    #expect(point.jump?.name == "run b")
    let row = try #require("\(failure)".split(separator: "\n").first { $0.contains("← run b") })
    #expect(row.hasPrefix("     4  100 %  ████████████████████"))
    #expect("\(point)".split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  private static func chain(_ length: Int, on scheduler: any Scheduler, _ end: @escaping @Sendable () -> Void) {
    scheduler.schedule { length == 0 ? end() : chain(length - 1, on: scheduler, end) }
  }

  @Test("A long table lists the decisive items first, and wraps long names instead of cutting them")
  func longTable() throws {
    let long = "a name that is longer than the column of its scheduler, which therefore wraps"
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore { runtime in
        let log = Log()
        Self.chain(50, on: runtime.main) {
          for name in ["a", "b"] {
            runtime.serial(name).schedule {
              runtime.note(name == "b" ? long : name)
              log.add(name)
            }
          }
        }
        return { try check(log.all != ["b", "a"], log.text) }
      }
    }
    let parts = failure.scheduleTable.components(separatedBy: "\n\nAll items:\n")
    try #require(parts.count == 2, "\(failure)")
    #expect(parts[0].hasPrefix("The decisive items:\n  item  "))
    #expect(parts[0].split(separator: "\n").count < 15)
    #expect(parts[1].split(separator: "\n").count > 50)
    let words = parts[0].split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("a name that is longer than the column") && words.contains("therefore wraps"), "\(failure)")
  }

  @Test("If a failure depends on which item joins a queue first, the report says so")
  func joined() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore(timing: .any) { runtime in
        let log = Log()
        for number in 1...3 { runtime.serial("\(number)").schedule { runtime.note("other \(number)") } }
        runtime.main.schedule { runtime.note("A") }
        runtime.main.schedule {
          runtime.note("B")
          runtime.main.schedule { log.add("C") }
        }
        _ = runtime.user.schedule(after: .seconds(1)) {
          runtime.note("tap")
          log.add("tap")
        }
        return { try check(log.all != ["tap", "C"], log.text) }
      }
    }
    let text = "\(failure)"
    #expect(text.contains("Fails if “tap” on main joins its queue before “"))
    let shares = try #require(failure.pointOfNoReturn).shares
    #expect(shares.map(\.step) == shares.map(\.step).sorted())
  }

  @Test("The shares of failing runs are reproducible, and measuring them stays within the budget")
  func budget() throws {
    let shares = { try #require(Explorer().explore(self.race).failure).pointOfNoReturn }
    #expect(try shares() == shares())
    let items = Locked(0)
    var explorer = Explorer()
    let run = { (budget: Int) -> PointOfNoReturn? in
      explorer.explaining = budget
      items.withLock { $0 = 0 }
      return explorer.explore { schedule in
        let verdict = race(schedule)
        items.withLock { $0 += verdict.steps }
        return verdict
      }.failure?.pointOfNoReturn
    }
    #expect(run(0) == nil)
    let before = items.withLock { $0 }
    #expect(run(2000)?.ends == 62)
    #expect(items.withLock { $0 } - before <= 2000)
    // The budget does not cover all choices, so only one between the start and the end is measured.
    let halved = run(1250)
    #expect(halved?.ends == 50)
    #expect(halved?.shares.map(\.step) == [0, 1, 7])
    #expect(items.withLock { $0 } - before <= 1250)
    #expect(run(1000) == nil)
  }

  @Test("Measuring the shares of failing runs does not repeat a random completion")
  func noRepetition() throws {
    let runs = Locked(0)
    let failure = Explorer().explore { schedule in
      runs.withLock { $0 += 1 }
      let runtime = VirtualRuntime(policy: schedule.policy, observer: schedule.observer)
      defer { runtime.close() }
      let log = Log()
      for name in ["a", "b"] { runtime.serial(name).schedule { log.add(name) } }
      runtime.run()
      return Verdict(finding: log.all == ["b", "a"] ? Finding(.check, "b before a") : nil, steps: runtime.steps)
    }.failure
    let point = try #require(failure?.pointOfNoReturn)
    #expect(point.ends == 200)
    #expect((0.4...0.6).contains(point.shares[0].failing) && point.shares[1].failing == 1)
    // The program has two schedules.
    #expect(runs.withLock { $0 } < 40)
  }

  @Test("The table replaces irrelevant items with their number")
  func folded() throws {
    let failure = try #require(Explorer().explore(race).failure)
    #expect(failure.foldedSteps == 4)
    #expect(
      failure.scheduleTable == """
          item  main             b                a                w
                … 2 items
             3  timer #3
        *    4                   run b  1:1
             5                                    run a
                … 2 items
             8                                                     closure #8
        ✗ after item 8: b before a
        * overtakes items queued before it; the token stores this as 1:1
        … items that do not matter: early or late, the run fails in the same way
        """)
  }

  @Test("The table shows an item outside of the deciding pair if the failure depends on its order")
  func needed() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore { runtime in
        let log = Log()
        for name in ["setting", "bystander", "a", "b"] {
          runtime.serial(name).schedule {
            runtime.note(name)
            log.add(name)
          }
        }
        return {
          let order = log.all.filter { $0 != "bystander" }
          try check(order != ["setting", "b", "a"], order.joined(separator: " "))
        }
      }
    }
    #expect(failure.foldedSteps == 1)
    #expect(failure.scheduleTable.contains("setting") && !failure.scheduleTable.contains("bystander"))
  }
}
