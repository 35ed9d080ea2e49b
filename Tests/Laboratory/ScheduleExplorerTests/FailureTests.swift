import EventBus
import Foundation
import ScheduleExplorer
import TestMachine
import Testing
import VirtualTime

@Suite("Failures that a search reports", .computing) struct FailureTests {
  @Test(
    "The search reports a failing schedule of the least possible cost, and marks it as minimal",
    arguments: Model.allCases)
  func minimal(_ model: Model) throws {
    let all = model.everySchedule()
    // Each order counts as a separate bug, and the four algorithms take turns.
    let orders = Set(all.map(\.outcome)).sorted()
    // The step is odd, so that each of the four algorithms runs.
    let step = LongTests.areEnabled ? 1 : orders.count / 5 | 1
    for (number, order) in orders.enumerated() where number.isMultiple(of: step) {
      var explorer = Explorer()
      explorer.explaining = 0
      explorer.search = [.mixed, .random, .pct(depth: 3), .bounded(9)][number % 4]
      explorer.schedules = LongTests.times(4000, long: 20_000)
      let least = try #require(all.filter { $0.outcome == order }.map(\.cost).min())
      guard let failure = explorer.explore({ model.run($0) { $0 == order } }).failure else {
        #expect(explorer.search == .pct(depth: 3) || explorer.search == .bounded(9))
        continue
      }
      #expect(failure.token.deviations.cost == least)
      #expect(failure.isMinimal)
      #expect(failure.finding.message == order)
      #expect((failure.flippedPair == nil) == (least == 0))
      // A user step may be queued on main at one choice and run at another. An order of items cannot express this.
      if model != .answers { #expect((failure.orderToken == nil) == (least == 0)) }
      guard let orderToken = failure.orderToken else { continue }
      let written = try #require(Token("\(orderToken)"))
      #expect(written == orderToken)
      let replayed = try explorer.replay(written) { model.run($0) { $0 == order } }.failure
      #expect(replayed?.finding == failure.finding)
    }
  }

  @Test("The token of a failure replays the same run every time", arguments: [Model.chains, .answers, .gates, .tasks])
  func replay(_ model: Model) throws {
    let order = try #require(Set(model.everySchedule().map(\.outcome)).sorted().last)
    let failure = try #require(Explorer().explore { model.run($0) { $0 == order } }.failure)
    let first = try Explorer().replay(failure.token) { model.run($0) { $0 == order } }
    #expect(failure.foldedSteps > 0 || first.scheduleTable == failure.scheduleTable)
    for _ in 0..<LongTests.times(50, long: 500) {
      let replayed = try #require(try Explorer().replay(failure.token) { model.run($0) { $0 == order } }.failure)
      #expect(replayed.scheduleTable == first.scheduleTable)
      #expect(replayed.token == failure.token)
    }
  }

  @Test("A replay rejects a token that does not fit the program, unless the replay is loose")
  func mismatch() throws {
    let token = try #require(Token("E1.0:1,1:1.00000000"))
    for text in ["E1.0:9", "E1.0:1,99:1", "\(token)"] {
      let token = try #require(Token(text))
      let mismatch = #expect(throws: ReplayMismatch.self) {
        try Explorer().replay(token) { Model.chains.run($0) }
      }
      #expect(mismatch?.description.contains("loosely") == true)
      let loose = try Explorer().replay(token, loosely: true) { Model.chains.run($0) }
      #expect(loose.failure == nil)
      #expect(loose.mismatch != nil)
    }
    let whole = try Explorer().replay(#require(Token("E1.0:1,1:1"))) { Model.chains.run($0) }
    #expect(whole.failure == nil)
    #expect(whole.mismatch == nil)
  }

  @Test("A token prints the text from which it was parsed, and an invalid text is rejected")
  func tokens() {
    for text in ["E1.-", "E1.3:1,7:2", "E1.3:1,7:2.0000c0de"] { #expect(Token(text)?.description == text) }
    for text in ["", "E1", "E2.-", "E1.3", "E1.3:0", "E1.7:1,3:1", "E1.3:1,", "E1.-.xyz", "E1.-.1.2"] {
      #expect(Token(text) == nil, "\(text)")
    }
    for text in ["0/4", "5/4", "1", "1/0", "a/b", "1/4/4"] { #expect(Shard(text) == nil, "\(text)") }
  }

  @Test("The report has a table of the items, the deciding pair, and the call that replays the failure")
  func report() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore(timing: .any) { runtime in
        let shown = Locked("")
        for (name, seconds) in [("A", 1), ("B", 2)] {
          _ = runtime.network("network").schedule(after: .seconds(seconds)) {
            runtime.note("deliver \(name)")
            runtime.main.schedule {
              runtime.note("show \(name)")
              shown.withLock { $0 = name }
            }
          }
        }
        return { if shown.withLock({ $0 }) != "B" { throw Finding(.check, "\(shown.withLock { $0 }) is shown") } }
      }
    }
    #expect(failure.token.deviations == Deviations("0:1"))
    #expect(
      failure.flippedPair == """
        Fails if “deliver B” on network runs before “deliver A” on network; passes if after.
        This is based on one comparison, with a schedule that swaps these two items.
        """)
    #expect(
      failure.scheduleTable == """
          item  network                            main
        *    1  deliver B  0:1
             2                                     show B
             3  deliver A
             4                                     show A
             5                                     check
        ✗ after item 5: A is shown
        * overtakes items queued before it; the token stores this as 0:1
        """)
    let text = "\(failure)"
    #expect(text.contains("Minimal: no schedule with fewer than 1 deviation fails."))
    #expect(text.contains(#"explore(timing: .any, replaying: "\#(failure.token)")"#))
    // The call that replays the failure has no limit, because a token is as long as its names.
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("  explore(timing: .any, replaying:") }
    #expect(lines.allSatisfy { $0.count <= 85 }, "\(text)")
  }

  @Test("The table has a column for the time if the timing of the run is exact")
  func times() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore { runtime in
        for (name, delay) in [("A", 0.25), ("B", 12)] {
          _ = runtime.network("network").schedule(after: .seconds(delay)) {
            runtime.note("deliver \(name)")
            runtime.main.schedule { runtime.note("show \(name)") }
          }
        }
        return { throw Finding(.check, "always") }
      }
    }
    #expect(
      failure.scheduleTable.hasPrefix(
        """
          item    time  network                        main
             1  0.25 s  deliver A
             2  0.25 s                                 show A
             3  12.0 s  deliver B
             4  12.0 s                                 show B
             5  12.0 s                                 check
        """), "\(failure.scheduleTable)")
  }

  @Test("An item without a note is labeled with the latest note of the item that scheduled it")
  func causes() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore { runtime in
        runtime.main.schedule {
          for name in ["wake up", "eat"] {
            runtime.note("write \(name)")
            runtime.workers.schedule {}
          }
        }
        return { throw Finding(.check, "always") }
      }
    }
    for name in ["wake up", "eat"] { #expect(failure.scheduleTable.contains("after write \(name)\n")) }
  }

  @Test("A failure in first-in, first-out order has no deviations and no deciding pair")
  func happyPath() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore { _ in { throw Finding(.check, "always") } }
    }
    #expect(failure.token.deviations.list.isEmpty)
    #expect(failure.isMinimal && failure.flippedPair == nil)
    #expect("\(failure)".contains("It fails in first-in, first-out order."))
  }

  @Test("A search finds a deadlock that occurs in one order, and names the waiting schedulers")
  func deadlock() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore { runtime in
        let gates = [runtime.gate(), runtime.gate()]
        for gate in gates { gate.open() }
        for (name, order) in [("one", gates), ("two", gates.reversed())] {
          let scheduler = runtime.serial(name)
          scheduler.schedule {
            order[0].wait()
            let second = runtime.gate()
            scheduler.schedule {}
            runtime.workers.schedule { second.open() }
            second.wait()
            order[1].wait()
            gates.forEach { $0.open() }
          }
        }
        return {}
      }
    }
    #expect(failure.finding.kind == .deadlock)
    for name in ["one", "two"] { #expect(failure.finding.message.contains("1 item on \(name)")) }
  }

  @Test(
    "A search reports a program that never ends, whether or not its virtual time advances", arguments: [false, true])
  func livelock(passes: Bool) throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore(maximumSteps: 200) { runtime in
        @Sendable func again() {
          if passes {
            _ = runtime.main.schedule(after: .seconds(1)) { again() }
          } else {
            runtime.main.schedule { again() }
          }
        }
        again()
        return {}
      }
    }
    #expect(failure.finding.kind == .livelock)
    #expect(failure.scheduleTable.contains("item before"))
  }

  @Test("The report of an escaped task names the function that called the runtime")
  func escape() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore { runtime in
        runtime.main.schedule {
          let done = DispatchSemaphore(value: 0)
          Task {
            scheduleFromEscapedTask(runtime)
            done.signal()
          }
          done.wait()
        }
        return {}
      }
    }
    #expect(failure.finding.kind == .escape)
    #expect(failure.finding.message.contains("run 1 called its runtime: schedule on main"))
    #expect(failure.finding.message.contains("scheduleFromEscapedTask"))
  }

  @Test("A late call of an escaped task is reported with the number of its run")
  func lateEscape() throws {
    let runtimes = Locked<[VirtualRuntime]>([])
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore { runtime in
        // A late task of the first run would make this call.
        runtimes.withLock { $0.append(runtime) }
        let all = runtimes.withLock { $0 }
        if all.count == 3 { scheduleFromEscapedTask(all[0]) }
        runtime.serial("a").schedule {}
        runtime.serial("b").schedule {}
        return {}
      }
    }
    #expect(failure.finding.kind == .escape)
    #expect(failure.finding.message.contains("run 1 called"))
  }

  @Test("The report of nondeterminism names the first item that differs between two runs")
  func nondeterminism() throws {
    let runs = Locked(0)
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore { runtime in
        let run = runs.withLock { runs in
          runs += 1
          return runs
        }
        runtime.main.schedule { runtime.note("first") }
        runtime.main.schedule { if run.isMultiple(of: 2) { runtime.main.schedule {} } }
        return {}
      }
    }
    #expect(failure.finding.kind == .nondeterminism)
    #expect(failure.finding.message.contains("item 3 is"))
  }

  @Test("A search that does not stop at a failure counts all failing schedules")
  func share() {
    var explorer = Explorer()
    (explorer.search, explorer.stopsAtFailure) = (.bounded(20), false)
    let all = Model.chains.everySchedule()
    let exploration = explorer.explore { Model.chains.run($0) { $0.hasPrefix("b1") } }
    #expect(exploration.statistics.schedules == all.count)
    #expect(exploration.statistics.failing == all.count { $0.outcome.hasPrefix("b1") })
    #expect(exploration.statistics.timeToFirstFailure != nil)
  }
}

@inline(never)
func scheduleFromEscapedTask(_ runtime: VirtualRuntime) { runtime.main.schedule {} }
