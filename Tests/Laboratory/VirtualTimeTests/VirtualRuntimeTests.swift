import EventBus
import PlainText
import Testing
import VirtualTime

/// The entries that a run records, in order.
final class Log: Sendable {
  private let entries = Locked<[String]>([])

  var all: [String] { entries.withLock { $0 } }
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }
}

@Suite(.timeLimit(.minutes(10))) struct VirtualRuntimeTests {
  private let log = Log()

  @Test("Closures on all schedulers run in the order in which they become ready")
  func firstInFirstOut() {
    let runtime = VirtualRuntime()
    let serial = runtime.serial("serial")
    runtime.workers.schedule { [log] in
      log.add("workers")
      serial.schedule { log.add("serial, later") }
    }
    runtime.main.schedule { [log] in log.add("main") }
    serial.schedule { [log] in log.add("serial") }
    #expect(runtime.run() == .idle)
    #expect(log.all == ["workers", "main", "serial", "serial, later"])
    #expect(runtime.steps == 4)
  }

  @Test("The clock advances to the next timer only if no item is ready")
  func timers() {
    let runtime = VirtualRuntime()
    for (delay, name) in [(3600, "hour"), (1, "second"), (1, "same second"), (-5, "past")] {
      _ = runtime.main.schedule(after: .seconds(delay)) { [log] in log.add("\(name) at \(runtime.now)") }
    }
    let cancelled = runtime.main.schedule(after: .seconds(2)) { [log] in log.add("never") }
    cancelled.cancel()
    runtime.run()
    #expect(
      log.all == [
        "past at 0.0 seconds", "second at 1.0 seconds", "same second at 1.0 seconds", "hour at 3600.0 seconds",
      ])
  }

  @Test("A scheduler knows whether the caller runs on it")
  func current() {
    let runtime = VirtualRuntime()
    let serial = runtime.serial("serial")
    #expect(!runtime.main.isCurrent)
    serial.schedule { [log] in log.add("\(serial.isCurrent) \(runtime.main.isCurrent) \(runtime.workers.isCurrent)") }
    runtime.workers.schedule { [log] in log.add("\(serial.isCurrent) \(runtime.workers.isCurrent)") }
    runtime.run()
    #expect(log.all == ["true false false", "false true"])
    #expect(!serial.isCurrent)
  }

  @Test("A closed gate blocks only the closure that waits for it")
  func gates() {
    let runtime = VirtualRuntime()
    let gate = runtime.gate()
    runtime.workers.schedule { [log] in
      log.add("waits")
      gate.wait()
      log.add("goes on, on workers: \(runtime.workers.isCurrent)")
    }
    runtime.main.schedule { [log] in log.add("main") }
    _ = runtime.main.schedule(after: .seconds(1)) { [log] in
      log.add("opens")
      gate.open()
      log.add("and ends first")
    }
    #expect(runtime.run() == .idle)
    #expect(log.all == ["waits", "main", "opens", "and ends first", "goes on, on workers: true"])
  }

  @Test("Each opening of a gate admits one wait, before or after the wait begins")
  func permits() {
    let runtime = VirtualRuntime(pool: .fixed(width: 4))
    let gate = runtime.gate()
    gate.open()
    for name in ["one", "two", "three"] {
      runtime.workers.schedule { [log] in
        gate.wait()
        log.add(name)
      }
    }
    runtime.main.schedule { gate.open() }
    #expect(runtime.run() == .deadlock(waiting: ["workers"]))
    #expect(Array(log.all.prefix(2)) == ["one", "two"])
  }

  @Test("A serial scheduler runs no other closure while one of its closures waits for a gate")
  func blockedScheduler() {
    let runtime = VirtualRuntime()
    let serial = runtime.serial("serial")
    let gate = runtime.gate()
    serial.schedule { [log] in
      gate.wait()
      log.add("first")
    }
    serial.schedule { [log] in log.add("second") }
    _ = runtime.main.schedule(after: .seconds(1)) { gate.open() }
    runtime.run()
    #expect(log.all == ["first", "second"])
  }

  @Test("A deadlock ends the run and names the waiting schedulers before it releases them")
  func deadlock() {
    let runtime = VirtualRuntime()
    let scheduler = runtime.serial("downloads")
    let gate = runtime.gate()
    scheduler.schedule { [log] in
      gate.wait()
      log.add("let go")
      scheduler.schedule { log.add("never") }
    }
    runtime.main.schedule { [log] in
      gate.wait()
      log.add("main let go")
    }
    let end = runtime.run { [log] end in log.add("\(end) on main: \(runtime.main.isCurrent)") }
    #expect(end == .deadlock(waiting: ["downloads", "main"]))
    #expect(
      log.all == [#"deadlock(waiting: ["downloads", "main"]) on main: true"#, "let go", "main let go"])
    #expect(runtime.run() == end, "a deadlocked runtime does not run again")
  }

  @Test("A run in which time does not advance ends as a livelock")
  func livelock() {
    let runtime = VirtualRuntime(maximumStepsAtOnce: 100)
    @Sendable func again() { runtime.main.schedule { again() } }
    _ = runtime.main.schedule(after: .seconds(1)) { again() }
    for number in 0..<70 { _ = runtime.main.schedule(after: .milliseconds(number)) {} }
    #expect(runtime.run() == .livelock(steps: 100))
    #expect(runtime.now == .seconds(1))
    #expect(runtime.steps == 171, "steps before the last advance of time do not count toward the limit")
  }

  @Test("A long run whose clock advances is not a livelock")
  func longRuns() {
    let runtime = VirtualRuntime(maximumStepsAtOnce: 10)
    for number in 0..<1000 { _ = runtime.main.schedule(after: .milliseconds(number)) {} }
    #expect(runtime.run() == .idle)
    #expect(runtime.steps == 1000)
  }

  @Test("A run whose timer reschedules itself endlessly ends at the maximum number of steps")
  func endlessTimers() {
    let runtime = VirtualRuntime(maximumStepsAtOnce: 10, maximumSteps: 100)
    @Sendable func again() { _ = runtime.main.schedule(after: .milliseconds(1)) { again() } }
    again()
    #expect(runtime.run() == .endless(steps: 100))
    #expect(runtime.now == .milliseconds(101))
  }

  @Test("For blocked workers, a Linux pool adds one per second, a Darwin pool all at once, and a fixed pool none")
  func pools() {
    let blocked = { (pool: WorkerPool) -> (log: [String], starved: Bool) in
      let runtime = VirtualRuntime(pool: pool)
      let log = Log()
      for number in 1...4 {
        runtime.workers.schedule {
          log.add("\(number) at \(runtime.now.components.seconds)")
          let gate = runtime.gate()
          _ = runtime.main.schedule(after: .seconds(10)) { gate.open() }
          gate.wait()
        }
      }
      runtime.run()
      return (log.all, runtime.poolStarved)
    }
    #expect(blocked(.linux(cores: 2)) == (["1 at 0", "2 at 0", "3 at 1", "4 at 2"], true))
    #expect(blocked(.fixed(width: 2)) == (["1 at 0", "2 at 0", "3 at 10", "4 at 10"], true))
    #expect(blocked(.darwin(limit: 64)) == (["1 at 0", "2 at 0", "3 at 0", "4 at 0"], false))
  }

  @Test("Suspended tasks resume in virtual time")
  func tasks() {
    let runtime = VirtualRuntime()
    for number in 1...3 {
      _ = runtime.task { [log] in
        await withCheckedContinuation { continuation in
          _ = runtime.main.schedule(after: .seconds(4 - number)) { continuation.resume() }
        }
        log.add("\(number) at \(runtime.now.components.seconds)")
      }
    }
    #expect(runtime.run() == .idle)
    #expect(log.all == ["3 at 1", "2 at 2", "1 at 3"])
    #expect(runtime.foreignCalls == 0)
  }

  @Test("Every run of the same program with a bus, timers, and a gate is identical")
  func determinism() {
    struct Tick: Event { let number: Int }
    let trace = { () -> [String] in
      let runtime = VirtualRuntime()
      let log = Log()
      let bus = EventBus(runtime: runtime)
      let gate = runtime.gate()
      let subscriptions = [
        bus.subscribe(to: Tick.self, on: .main) { log.add("main \($0.number)") },
        bus.subscribe(to: Tick.self, on: .scheduler(runtime.workers)) { event in
          if event.number == 3 { gate.wait() }
          log.add("worker \(event.number)")
        },
      ]
      for number in 1...5 {
        _ = runtime.workers.schedule(after: .milliseconds(number % 3)) { bus.post(Tick(number: number)) }
      }
      _ = runtime.task { gate.open() }
      runtime.run()
      subscriptions.forEach { $0.cancel() }
      return log.all
    }
    let first = trace()
    #expect(first.count == 10)
    for _ in 0..<100 { #expect(trace() == first) }
  }

  @Test("If a foreign thread schedules an action, the runtime reports the call site and runs the action")
  func foreignThreads() throws {
    let runtime = VirtualRuntime()
    let outside = DispatchRuntime.shared
    runtime.main.schedule {
      let done = outside.gate()
      outside.workers.schedule {
        scheduleFromElsewhere(runtime)
        done.open()
      }
      done.wait()
    }
    runtime.run()
    #expect(runtime.foreignCalls == 1)
    #expect(runtime.steps == 2, "the runtime did not run the foreign thread's action")
    let site = try #require(runtime.foreignSites.first)
    #expect(site.call == "schedule on main")
    #expect(!site.thread.isEmpty)
    #expect(site.stack.contains { $0.contains("scheduleFromElsewhere") }, "\(site.stack)")
  }

  @Test("A closed runtime reports a call and runs nothing")
  func lateCalls() {
    let calls = Locked<[String]>([])
    let runtime = VirtualRuntime(
      observer: RunObserver(calledByForeignThread: { call in calls.withLock { $0.append(call.call) } }))
    runtime.main.schedule { [log] in log.add("never") }
    runtime.close()
    _ = runtime.serial("late").schedule(after: .seconds(1)) { [log] in log.add("late") }
    #expect(runtime.run() == .idle)
    #expect(log.all == [])
    #expect(calls.withLock { $0 } == ["schedule on late after 1.0 seconds"])
  }
}

/// Schedules an action. The test looks for the name of this function in a stack trace.
@inline(never)
func scheduleFromElsewhere(_ runtime: VirtualRuntime) { runtime.main.schedule {} }
