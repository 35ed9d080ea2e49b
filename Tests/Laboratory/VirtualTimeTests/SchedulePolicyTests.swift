import EventBus
import PlainText
import TestMachine
import Testing
import VirtualTime

/// A policy that chooses by a closure of the test and records the ready sets.
final class Choices: SchedulePolicy {
  private struct State: Sendable {
    var sets: [[ReadyItem]] = []
    var times: [Duration] = []
  }

  private let state = Locked(State())
  private let choice: @Sendable ([ReadyItem]) -> Int

  init(_ choice: @escaping @Sendable ([ReadyItem]) -> Int) { self.choice = choice }

  var sets: [[ReadyItem]] { state.withLock { $0.sets } }
  var times: [Duration] { state.withLock { $0.times } }

  func choose(from ready: ReadySet) -> Int {
    var items: [ReadyItem] = []
    for index in 0..<ready.count { items.append(ready[index]) }
    let (set, now) = (items, ready.now)
    state.withLock { state in
      state.sets.append(set)
      state.times.append(now)
    }
    return choice(set)
  }
}

@Suite("A schedule policy chooses the next item of a virtual run", .childProcesses) struct SchedulePolicyTests {
  private let log = Log()

  @Test("A policy chooses among ready items, but a serial scheduler keeps its order")
  func choices() {
    let policy = Choices { $0.count - 1 }
    let runtime = VirtualRuntime(policy: policy)
    runtime.main.schedule { [log] in log.add("main 1") }
    runtime.main.schedule { [log] in log.add("main 2") }
    runtime.serial("a").schedule { [log] in log.add("a") }
    runtime.serial("b").schedule { [log] in log.add("b") }
    runtime.run()
    #expect(log.all == ["b", "a", "main 1", "main 2"])
    #expect(policy.sets.map { $0.map(\.scheduler.label) } == [["main", "a", "b"], ["main", "a"]])
  }

  @Test("A ready item exposes its scheduler, kind, number, due time, and cause")
  func items() throws {
    let policy = Choices { _ in 0 }
    let runtime = VirtualRuntime(pool: .fixed(width: 4), timing: .any, policy: policy)
    let gate = runtime.gate()
    runtime.workers.schedule { gate.wait() }  // 1
    runtime.main.schedule {  // 2
      gate.open()  // 4
      _ = runtime.task {}  // 5
      _ = runtime.network("net").schedule(after: .seconds(3)) {}  // 6
      _ = runtime.user.schedule(after: .seconds(2)) {}  // 7
      _ = runtime.main.schedule(after: .seconds(1)) {}  // 8
    }
    runtime.workers.schedule {}  // 3
    #expect(runtime.run() == .idle)
    let set = try #require(policy.sets.max { $0.count < $1.count })
    #expect(set.map(\.number) == [3, 4, 5, 7, 6], "a timer waits until nothing is ready")
    #expect(set.map(\.kind) == [.closure, .resumption, .job, .step, .completion])
    #expect(set.map(\.scheduler.kind) == [.workers, .workers, .tasks, .main, .serial])
    #expect(set.map(\.due) == [nil, nil, nil, .seconds(2), .seconds(3)])
    #expect(set.map(\.cause) == [nil, 2, 2, 2, 2])
    #expect(set.last?.scheduler.label == "net")
    #expect(policy.sets.last?.map(\.number) == [7, 6])
    #expect(policy.sets.contains { $0.map(\.number) == [8, 7, 6] })
  }

  @Test(
    "Delays that end at the same time keep their order only on the same serial scheduler",
    arguments: [Timing.exact, .any])
  func ties(timing: Timing) {
    let policy = Choices { $0.count - 1 }
    let runtime = VirtualRuntime(timing: timing, policy: policy)
    let queue = runtime.serial("queue")
    for name in ["queue 1", "queue 2"] { _ = queue.schedule(after: .seconds(1)) { [log] in log.add(name) } }
    for name in ["main 1", "main 2"] { _ = runtime.main.schedule(after: .seconds(1)) { [log] in log.add(name) } }
    for name in ["worker 1", "worker 2"] { _ = runtime.workers.schedule(after: .seconds(1)) { [log] in log.add(name) } }
    _ = runtime.main.schedule(after: .seconds(2)) { [log] in log.add("later") }
    runtime.main.schedule(after: .seconds(1)) { [log] in log.add("cancelled") }.cancel()
    runtime.run()
    #expect(log.all == ["worker 2", "worker 1", "main 1", "main 2", "queue 1", "queue 2", "later"])
  }

  @Test(
    "A step whose delay has ended overtakes only items that were scheduled after it",
    arguments: [([], ["before", "after", "tap"]), (["before"], ["before", "tap", "after"])])
  func overtaking(_ expected: (when: [String], all: [String])) {
    let policy = Choices { [log] set in set.firstIndex { $0.kind == .step && log.all == expected.when } ?? 0 }
    let runtime = VirtualRuntime(timing: .any, policy: policy)
    runtime.workers.schedule { [log] in
      runtime.main.schedule { log.add("before") }
      _ = runtime.user.schedule(after: .seconds(1)) { log.add("tap") }
      runtime.main.schedule { log.add("after") }
    }
    runtime.run()
    #expect(log.all == expected.all)
  }

  @Test(
    "A due timer can overtake an item that was scheduled after its due time",
    arguments: [.exact, .any, .slack(.zero)] as [Timing])
  func overtakingTimer(timing: Timing) {
    let log = Log()
    let policy = Choices { set in log.all == ["q"] ? set.count - 1 : 0 }
    let runtime = VirtualRuntime(timing: timing, policy: policy)
    _ = runtime.serial("queue").schedule(after: .seconds(1)) {
      log.add("q")
      runtime.main.schedule { log.add("x") }
    }
    _ = runtime.main.schedule(after: .seconds(1)) { log.add("t") }
    runtime.run()
    #expect(log.all == ["q", "t", "x"])
  }

  @Test("A due timer can overtake a later item even after the time has advanced")
  func overtakingLate() {
    let log = Log()
    let policy = Choices { set in
      let kind: ReadyItem.Kind = log.all == ["q"] ? .completion : .timer
      return set.firstIndex { $0.kind == kind } ?? 0
    }
    let runtime = VirtualRuntime(timing: .any, policy: policy)
    runtime.serial("queue").schedule {
      log.add("q")
      _ = runtime.main.schedule(after: .zero) { log.add("t") }
      runtime.main.schedule { log.add("x") }
    }
    _ = runtime.network("net").schedule(after: .seconds(1)) { log.add("answer") }
    runtime.run()
    #expect(log.all == ["q", "answer", "t", "x"])
  }

  @Test("A step with slack does not overtake an item that was scheduled before the step was due")
  func slackKeepsQueues() {
    let log = Log()
    let runtime = VirtualRuntime(timing: .slack(.milliseconds(20)), policy: Choices { $0.count - 1 })
    _ = runtime.main.schedule(after: .milliseconds(90)) {
      log.add("timer")
      runtime.main.schedule { log.add("x") }
    }
    _ = runtime.user.schedule(after: .milliseconds(100)) { log.add("tap") }
    runtime.run()
    #expect(log.all == ["timer", "x", "tap"])
  }

  @Test("A slack limits the delay of a ready item, however many other items there are")
  func slackFromReady() {
    let log = Log()
    let runtime = VirtualRuntime(timing: .slack(.milliseconds(20)), policy: Choices { $0.count - 1 })
    runtime.main.schedule { log.add("x at \(runtime.now)") }
    for count in 1...9 { _ = runtime.network("net").schedule(after: .milliseconds(20 * count)) {} }
    runtime.run()
    #expect(log.all == ["x at 0.02 seconds"])
  }

  @Test("A slack limits the delay of every item, and timers are never late")
  func slack() {
    let policy = Choices { $0.count - 1 }
    let runtime = VirtualRuntime(timing: .slack(.seconds(1)), policy: policy)
    let network = runtime.network("network")
    for (name, milliseconds) in [("a", 1000), ("b", 1500), ("c", 3000)] {
      _ = network.schedule(after: .milliseconds(milliseconds)) { [log] in log.add("\(name) at \(runtime.now)") }
    }
    _ = runtime.user.schedule(after: .milliseconds(1800)) { [log] in log.add("tap") }
    _ = runtime.main.schedule(after: .milliseconds(2500)) { [log] in log.add("timer at \(runtime.now)") }
    runtime.run()
    #expect(log.all == ["tap", "b at 1.8 seconds", "a at 1.8 seconds", "timer at 2.5 seconds", "c at 3.0 seconds"])
    #expect(policy.sets.map { $0.map(\.number) } == [[1, 2, 4], [1, 2]])
  }

  @Test("A slack limits the completions that can run before a ready item")
  func slackOfReady() {
    let policy = Choices { $0.count - 1 }
    let runtime = VirtualRuntime(timing: .slack(.seconds(1)), policy: policy)
    runtime.main.schedule {  // 1
      runtime.workers.schedule {}  // 2
      _ = runtime.network("near").schedule(after: .milliseconds(900)) {}  // 3
      _ = runtime.network("far").schedule(after: .milliseconds(1100)) {}  // 4
    }
    runtime.run()
    #expect(policy.sets.first?.map(\.number) == [2, 3])
  }

  @Test("Items that are due now are ready together, and later delays are not")
  func dueIsReady() {
    let policy = Choices { _ in 0 }
    let runtime = VirtualRuntime(policy: policy)
    _ = runtime.main.schedule(after: .seconds(1)) {  // 1
      runtime.main.schedule {}  // 4
    }
    _ = runtime.workers.schedule(after: .seconds(1)) {}  // 2
    _ = runtime.workers.schedule(after: .seconds(2)) {}  // 3
    runtime.run()
    #expect(policy.sets.map { $0.map(\.number) } == [[1, 2], [4, 2]])
  }

  @Test("A ready set offers one worker closure while a thread of the pool is free")
  func workers() {
    let policy = Choices { _ in 0 }
    let runtime = VirtualRuntime(pool: .fixed(width: 2), policy: policy)
    let gate = runtime.gate()
    runtime.workers.schedule { gate.wait() }
    for _ in 0..<3 { runtime.workers.schedule {} }
    runtime.main.schedule { gate.open() }
    #expect(runtime.run() == .idle)
    #expect(
      policy.sets.map { $0.map(\.number) } == [[1, 2, 5], [2, 5], [3, 5], [4, 5]],
      "one thread is free while the first closure waits for the gate")
  }

  @Test(
    "Asking a policy does not advance the clock, and an index out of range stops the process", .timeLimit(.minutes(10)))
  func asking() async {
    let policy = Choices { _ in 0 }
    let runtime = VirtualRuntime(timing: .any, policy: policy)
    for _ in 0..<2 { runtime.network("net").schedule {} }
    for second in 1...3 { _ = runtime.network("net").schedule(after: .seconds(second)) {} }
    runtime.run()
    #expect(policy.times == [0, 0, 0, 1].map { .seconds($0) })
    await #expect(processExitsWith: .failure) {
      let runtime = VirtualRuntime(policy: Choices { $0.count })
      for name in ["a", "b"] { runtime.serial(name).schedule {} }
      runtime.run()
    }
  }
}

@Suite("The timing of a virtual run limits the orders that a policy can choose") struct TimingTests {
  /// Returns the order in which two completions, two steps, and a timer run under a policy.
  private func order(_ timing: Timing, _ choice: @escaping @Sendable ([ReadyItem]) -> Int) -> [String] {
    let (log, runtime) = (Log(), VirtualRuntime(timing: timing, policy: Choices(choice)))
    let network = [runtime.network("one"), runtime.network("other")]
    runtime.main.schedule {
      for (name, delay) in [("A", 2), ("B", 4)] {
        _ = network[delay / 4].schedule(after: .seconds(delay)) { log.add("\(name) at \(seconds(runtime))") }
      }
      for (name, delay) in [("tap", 1), ("swipe", 5)] {
        _ = runtime.user.schedule(after: .seconds(delay)) { log.add("\(name) at \(seconds(runtime))") }
      }
      _ = runtime.main.schedule(after: .seconds(3)) { log.add("timer at \(seconds(runtime))") }
    }
    runtime.run()
    return log.all
  }

  @Test("With `.exact` timing, no policy can reorder items with different delays")
  func exact() {
    let exact = ["tap at 1", "A at 2", "timer at 3", "B at 4", "swipe at 5"]
    #expect(order(.exact) { _ in 0 } == exact)
    #expect(order(.exact) { $0.count - 1 } == exact)
    #expect(order(.any) { _ in 0 } == exact, "FIFO order is the same under any timing")
  }

  @Test(
    "With `.any` timing, completions overtake all items, steps keep their order, and time never goes back")
  func any() {
    #expect(order(.any) { $0.count - 1 } == ["B at 4", "timer at 4", "A at 4", "tap at 4", "swipe at 5"])
    #expect(
      order(.any) { items in items.lastIndex { $0.kind == .step } ?? 0 }
        == ["tap at 1", "swipe at 5", "A at 5", "timer at 5", "B at 5"])
    #expect(
      order(.any) { items in items.lastIndex { $0.kind == .timer } ?? 0 }
        == ["timer at 3", "tap at 3", "A at 3", "B at 4", "swipe at 5"])
  }

  @Test("A completion follows its cause, and cancelled completions and steps do not run")
  func completions() {
    let (log, runtime) = (Log(), VirtualRuntime(timing: .any, policy: Choices { $0.count - 1 }))
    let network = runtime.network("net")
    let cancelled = (0..<20).map { number in
      network.schedule(after: .milliseconds(number * 7 % 20)) { log.add("cancelled") }
    }
    _ = network.schedule(after: .seconds(1)) {
      log.add("head")
      _ = network.schedule(after: .zero) { log.add("end") }
    }
    _ = runtime.user.schedule(after: .seconds(9)) { log.add("step") }
    let steps = (1...3).map { number in runtime.user.schedule(after: .seconds(number)) { log.add("cancelled") } }
    for timer in cancelled + steps { timer.cancel() }
    runtime.run()
    #expect(log.all == ["step", "head", "end"])
    #expect(runtime.now == .seconds(9))
  }

  @Test("A due timer that waits for its busy scheduler can still be cancelled", arguments: [false, true])
  func cancelledInLine(onWorkers: Bool) {
    let (log, runtime) = (Log(), VirtualRuntime(pool: .fixed(width: 1)))
    let gate = runtime.gate()
    let scheduler = onWorkers ? runtime.workers : runtime.main
    scheduler.schedule { gate.wait() }
    let timers = (1...3).map { number in scheduler.schedule(after: .seconds(number)) { log.add("\(number)") } }
    _ = runtime.serial("other").schedule(after: .seconds(5)) {
      timers[0].cancel()
      timers[2].cancel()
      gate.open()
    }
    #expect(runtime.run() == .idle)
    #expect(log.all == ["2"])
    #expect(runtime.steps == 4)
  }

  @Test("If the item at the head of a queue is cancelled, the next item runs")
  func cancelledAtTheHead() {
    let (log, timer) = (Log(), Locked<(any Cancellation)?>(nil))
    let policy = Choices { items in
      items.firstIndex { $0.scheduler.label == "other" } ?? items.firstIndex { $0.due == .seconds(1) } ?? 0
    }
    let runtime = VirtualRuntime(timing: .any, policy: policy)
    // The step becomes due while main is busy and is then at the head of its queue.
    runtime.main.schedule {
      log.add("main")
      runtime.serial("other").schedule { timer.withLock { $0 }?.cancel() }
    }
    timer.withLock { $0 = runtime.user.schedule(after: .seconds(1)) { log.add("step") } }
    _ = runtime.user.schedule(after: .seconds(2)) { log.add("next step") }
    runtime.run()
    #expect(log.all == ["main", "next step"])
  }

  @Test("An item that becomes due joins the end of its scheduler's queue")
  func busyScheduler() {
    let (log, runtime) = (
      Log(), VirtualRuntime(timing: .any, policy: Choices { $0.lastIndex { $0.kind == .step } ?? 0 })
    )
    for name in ["one", "two"] { runtime.main.schedule { log.add(name) } }
    _ = runtime.user.schedule(after: .seconds(1)) { log.add("step at \(seconds(runtime))") }
    runtime.serial("other").schedule { log.add("other") }
    runtime.run()
    #expect(log.all == ["one", "two", "step at 1", "other"])
    #expect(runtime.steps == 4)
  }
}

private func seconds(_ runtime: VirtualRuntime) -> Int64 { runtime.now.components.seconds }
