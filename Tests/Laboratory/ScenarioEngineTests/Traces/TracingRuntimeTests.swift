import EventBus
import FetcherModel
import PlainText
import Testing
import VirtualTime

@testable import ScenarioEngine
@testable import ScenarioFormat

@Suite struct TracingRuntimeTests {
  /// Starts a task that hops to main and back, twice.
  private func start(_ runtime: any Runtime) {
    _ = runtime.task {
      for _ in 0..<2 { await runtime.onMain {} }
    }
  }

  @Test("The log records each job of a task as one closure with its cause")
  func jobs() {
    let plain = VirtualRuntime()
    start(plain)
    plain.run()

    let runtime = VirtualRuntime()
    let log = ActivityLog(runtime)
    start(TracingRuntime(runtime, log))
    runtime.run()

    let closures = log.activity.closures
    #expect(closures.map(\.scheduler) == ["tasks", "main", "tasks", "main", "tasks"])
    #expect(closures.map(\.cause) == [nil, 0, 1, 2, 3])
    let moments = closures.flatMap { [$0.enqueued, $0.begin, $0.end].compactMap(\.self) }
    #expect(moments.count == 15)
    #expect(Set(moments).count == 15, "all moments have the same virtual time, and still stay in order")
    #expect(runtime.steps == plain.steps)
    #expect(runtime.foreignCalls == 0)
  }

  @Test("A timer counts as queued only from its due time")
  func timers() throws {
    let runtime = VirtualRuntime(pool: .fixed(width: 1))
    let log = ActivityLog(runtime)
    let traced = TracingRuntime(runtime, log)
    let gate = traced.gate()
    _ = traced.main.schedule(after: .milliseconds(30)) { gate.open() }
    traced.workers.schedule { gate.wait() }
    _ = traced.workers.schedule(after: .milliseconds(10)) {}
    runtime.run()

    var record = RunRecord()
    record.activity = log.activity
    let check = try WrittenTrace(record).check
    #expect(check.problems == [])
    let queued = check["C"].filter { $0.name == "queued" }
    #expect(queued.map { ($0.ts ?? -1).rounded() } == [0, 0, 0, 10_000, 30_000])
    #expect(queued.map(\.args?.value) == [0, 1, 0, 1, 0])
    let busy = check["C"].filter { $0.name == "busy workers" }
    #expect(busy.map { ($0.ts ?? -1).rounded() } == [0, 0, 30_000, 30_000, 30_000])
    #expect(busy.map(\.args?.value) == [0, 1, 0, 1, 0])
  }

  @Test("The log counts subscriptions of the bus when they start and end")
  func subscriptions() {
    let runtime = VirtualRuntime()
    let log = ActivityLog(runtime)
    let bus = EventBus(runtime: runtime, trace: { log.note($0) })
    let one = bus.subscribe(to: ScenarioEvent.self) { _ in }
    let two = bus.subscribe(to: ScenarioEvent.self, key: "a") { _ in }
    _ = runtime.main.schedule(after: .seconds(1)) {
      bus.post(ScenarioEvent(topic: "a"))
      one.cancel()
    }
    runtime.run()
    #expect(log.activity.subscriptions.map(\.change) == [1, 1, -1])
    #expect(log.activity.subscriptions.map { ($0.time / .milliseconds(1)).rounded() } == [0, 0, 1000])
    withExtendedLifetime(two) {}
  }

  @Test("A trace of many busy threads is well-formed")
  func crowd() async throws {
    let log = ActivityLog(DispatchRuntime.shared)
    let runtime = TracingRuntime(DispatchRuntime.shared, log)
    let lane = runtime.serial("lane")
    await withTaskGroup { group in
      for number in 0..<300 {
        group.addTask {
          await withCheckedContinuation { continuation in
            runtime.workers.schedule {
              let next = number.isMultiple(of: 2) ? runtime.workers : lane
              next.schedule { _ = runtime.task { continuation.resume() } }
            }
          }
        }
      }
    }
    var record = RunRecord()
    record.activity = log.activity
    #expect(record.activity.closures.count >= 900)
    #expect(try WrittenTrace(record).check.problems == [])
  }
}
