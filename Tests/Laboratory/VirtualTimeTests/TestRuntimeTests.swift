import EventBus
import Foundation
import TestMachine
import Testing
import VirtualTime

private struct Number: Event { let value: Int }

private final class Record<Value: Sendable>: Sendable {
  private let stored = Locked<[Value]>([])
  func append(_ value: Value) { stored.withLock { $0.append(value) } }
  var values: [Value] { stored.withLock { $0 } }
}

@Suite(.blocking) struct ManualRuntimeTests {
  let runtime = ManualRuntime()
  private let record = Record<Int>()

  @Test("A manual runtime runs nothing until the test runs its ready actions, and then runs them in FIFO order")
  func nothingRunsUntilTheTestSaysSoAndThenFirstInFirstOut() {
    let record = record
    runtime.main.schedule { record.append(1) }
    runtime.workers.schedule { record.append(2) }
    runtime.serial("own").schedule { record.append(3) }
    #expect(record.values.isEmpty && !runtime.isIdle)
    runtime.runReady()
    #expect(record.values == [1, 2, 3])
    #expect(runtime.isIdle)
  }

  @Test("A timer runs when the time advances to its due time, and it sees that time")
  func timersRunWhenTheirTimeComesAndSeeIt() {
    let (record, runtime) = (record, runtime)
    for seconds in [3, 1, 2, 1] {
      _ = runtime.main.schedule(after: .seconds(seconds)) {
        #expect(runtime.now == .seconds(seconds))
        record.append(seconds)
      }
    }
    runtime.main.schedule(after: .seconds(1)) { record.append(-1) }.cancel()
    runtime.advance(by: .seconds(2))
    #expect(record.values == [1, 1, 2])
    #expect(runtime.now == .seconds(2))
    runtime.runAll()
    #expect(record.values == [1, 1, 2, 3])
  }

  @Test("A scheduler is current only inside its own actions") func aSchedulerIsCurrentOnlyInsideItsActions() {
    let (record, runtime) = (record, runtime)
    #expect(!runtime.main.isCurrent)
    runtime.main.schedule { record.append(runtime.main.isCurrent && !runtime.workers.isCurrent ? 1 : 0) }
    runtime.runReady()
    #expect(record.values == [1])
  }

  @Test("A manual runtime drives a bus deterministically") func itDrivesABusDeterministically() {
    let record = record
    let bus = EventBus(runtime: runtime)
    let subscription = bus.subscribe(to: Number.self, on: .main) { record.append($0.value) }
    bus.post(Number(value: 2), after: .seconds(10))
    #expect(bus.post(Number(value: 1)) == 1)
    #expect(record.values.isEmpty)
    runtime.runReady()
    #expect(record.values == [1])
    runtime.advance(by: .seconds(10))
    #expect(record.values == [1, 2])
    _ = subscription
  }

  @Test("A cancelled timer immediately releases its action") func aCancelledTimerReleasesItsActionAtOnce() {
    final class Captured: Sendable {}
    var captured: Captured? = Captured()
    weak let released = captured
    let timer = runtime.main.schedule(after: .seconds(1)) { [captured] in _ = captured }
    captured = nil
    #expect(released != nil)
    timer.cancel()
    #expect(released == nil)
  }

  @Test("A gate admits one wait for each time that it is opened") func anOpenGateLetsOneThrough() {
    let gate = runtime.gate()
    gate.open()
    gate.open()
    gate.wait()
    gate.wait()
  }

  @Test("A gate works with the longest possible timeout")
  func longestTimeout() {
    let gate = ManualRuntime(timeout: .seconds(Int64.max)).gate()
    Thread { gate.open() }.start()
    gate.wait()
  }

  @Test("A task runs as an action of the runtime, not on main") func aTaskRunsInsideTheRuntime() async {
    let (record, runtime) = (record, runtime)
    let task = runtime.task { record.append(runtime.main.isCurrent ? 0 : 1) }
    #expect(record.values.isEmpty)
    runtime.runReady()
    await task.value
    #expect(record.values == [1])
  }

  @Test("A manual runtime schedules and cancels 100,000 timers in any order", .timeLimit(.minutes(10)))
  func manyTimers() {
    let record = record
    let count = 100_000
    let timers = (0..<count).map { number in
      runtime.main.schedule(after: .milliseconds(count - number)) { record.append(number) }
    }
    for number in timers.indices where !number.isMultiple(of: 1000) { timers[number].cancel() }
    runtime.runAll()
    #expect(record.values == stride(from: 0, to: count, by: 1000).reversed())
  }

  @Test("A closed runtime runs nothing and releases its pending closures, so that it can be released with its bus")
  func closing() {
    weak var gone: ManualRuntime?
    do {
      let runtime = ManualRuntime()
      let bus = EventBus(runtime: runtime)
      let subscription = bus.subscribe(to: Number.self, on: .main) { _ in
        Issue.record("The closed runtime called a handler.")
      }
      bus.post(Number(value: 1), after: .seconds(1))
      runtime.main.schedule { bus.post(Number(value: 2)) }
      _ = runtime.workers.schedule(after: .seconds(1)) { bus.post(Number(value: 3)) }
      gone = runtime
      runtime.close()
      runtime.runAll()
      #expect(runtime.isIdle)
      withExtendedLifetime(subscription) {}
    }
    #expect(gone == nil)
  }

  @Test("cancelAndWait() waits until a call on another thread returns")
  func cancelAndWait() {
    for _ in 0..<50 {
      let bus = EventBus(runtime: ManualRuntime())
      let (outside, isOut) = (DispatchRuntime.shared, Locked(false))
      let (entered, leave) = (outside.gate(), outside.gate())
      let subscription = bus.subscribe(to: Number.self) { _ in
        entered.open()
        leave.wait()
        isOut.withLock { $0 = true }
      }
      outside.workers.schedule { bus.post(Number(value: 1)) }
      entered.wait()
      outside.workers.schedule {
        while subscription.isActive { sched_yield() }
        for _ in 0..<100 { sched_yield() }
        leave.open()
      }
      subscription.cancelAndWait()
      #expect(isOut.withLock { $0 })
    }
  }

  @Test("Any thread may schedule and cancel actions during a run")
  func otherThreads() {
    let (record, runtime, outside) = (record, runtime, DispatchRuntime.shared)
    runtime.main.schedule {
      let done = outside.gate()
      outside.workers.schedule {
        runtime.main.schedule { record.append(1) }
        _ = runtime.workers.schedule(after: .seconds(1)) { record.append(2) }
        runtime.main.schedule(after: .seconds(2)) { record.append(3) }.cancel()
        #expect(runtime.now == .zero && !runtime.main.isCurrent)
        done.open()
      }
      done.wait()
    }
    runtime.runAll()
    #expect(record.values == [1, 2])
    #expect(runtime.isIdle && runtime.now == .seconds(1))
  }
}

@Suite struct ImmediateRuntimeTests {
  @Test("An immediate runtime runs an action before schedule returns, but never inside another action")
  func everythingHasRunWhenScheduleReturnsButNothingRunsInsideAnAction() {
    let runtime = ImmediateRuntime()
    let record = Record<Int>()
    runtime.main.schedule {
      runtime.main.schedule { record.append(2) }
      _ = runtime.workers.schedule(after: .seconds(60)) { record.append(3) }
      record.append(1)
    }
    #expect(record.values == [1, 2, 3])
    #expect(runtime.now == .seconds(60))
  }

  @Test("A chain of a hundred thousand actions runs in constant stack space")
  func aChainOfAHundredThousandActionsNeedsConstantStack() {
    let runtime = ImmediateRuntime()
    let bus = EventBus(runtime: runtime)
    let last = Locked(0)
    let subscription = bus.subscribe(to: Number.self, on: .main) { event in
      last.withLock { $0 = event.value }
      if event.value < 100_000 { bus.post(Number(value: event.value + 1)) }
    }
    bus.post(Number(value: 1))
    #expect(last.withLock { $0 } == 100_000)
    _ = subscription
  }
}

@Suite struct UnusedRuntimeTests {
  @Test("An unused runtime reports each use and runs nothing") func itTellsOfEveryUseAndRunsNothing() {
    let uses = Record<String>()
    let runtime = UnusedRuntime(onUse: { uses.append($0) })
    let bus = EventBus(runtime: runtime)
    let inline = bus.subscribe(to: Number.self) { _ in }
    bus.post(Number(value: 1))
    #expect(uses.values.isEmpty)
    let queued = bus.subscribe(to: Number.self, on: .main) { _ in Issue.record("The unused runtime called a handler.") }
    bus.post(Number(value: 2))
    #expect(uses.values == ["schedule on main"])
    _ = (inline, queued)
  }
}
