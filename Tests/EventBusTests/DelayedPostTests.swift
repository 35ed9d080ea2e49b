import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("The bus delivers delayed posts in order of their due times and releases cancelled ones", .childProcesses)
struct DelayedPostTests {
  let bag = Bag()

  @Test("The bus delivers posts from one thread with equal delays in posting order")
  func equalDelays() async {
    let bus = EventBus()
    let record = Record<Int>()
    let all = DispatchRuntime.shared.gate()
    let count = 2000
    bus.subscribe(to: Number.self) { event in
      record.append(event.value)
      if record.values.count == count { all.open() }
    }.store(in: bag)
    for value in 0..<count { bus.post(Number(value: value), after: .milliseconds(20)) }
    await all.passed()
    #expect(record.values == Array(0..<count))
  }

  @Test("The bus delivers delayed posts in the order of their due times") func differentDelays() {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    let record = Record<Int>()
    bus.subscribe(to: Number.self) { record.append($0.value) }.store(in: bag)
    let delays = [5, 1, 4, 1, 3, 2, 5, 0, -1]
    let posts = delays.enumerated().map { bus.post(Number(value: $0), after: .seconds($1)) }
    posts[4].cancel()
    runtime.runAll()
    #expect(record.values == [7, 8, 1, 3, 5, 2, 0, 6])
  }

  @Test("Cancelling a delayed post, or releasing its bus, releases the event") func released() {
    let runtime = ManualRuntime()
    var bus: EventBus? = EventBus(runtime: runtime)
    let tally = Tally()
    let posts = (0..<3).map { bus!.post(Loading(load: Load(tally)), after: .seconds($0)) }
    #expect(tally.living == 3)
    posts[1].cancel()
    posts[1].cancel()
    #expect(tally.living == 2)
    bus = nil
    #expect(tally.living == 0)
    runtime.runAll()
  }

  /// Runs in a separate process, so that no other test changes its memory.
  @Test("A million cancelled delayed posts leave no memory behind")
  func manyCancelled() async {
    await #expect(processExitsWith: .success) {
      let bus = EventBus(runtime: UnusedTimers())
      let standing = [1, 3].map { bus.post(Number(value: $0), after: .seconds(3600 * $0)) }
      func cancelMany() {
        for value in 0..<cycles(500_000, dividedBy: 2) {
          bus.post(Number(value: value), after: .seconds(7200)).cancel()
        }
      }
      cancelMany()
      let before = Memory.resident
      cancelMany()
      let growth = Memory.resident - before
      precondition(growth < 4 << 20, "Memory has grown by \(growth) bytes.")
      withExtendedLifetime(standing) {}
    }
  }
}

/// Timers that never fire and allocate nothing.
private struct UnusedTimers: Runtime, Cancellation {
  private final class ImmediateScheduler: Scheduler {
    var isSerial: Bool { true }
    var isCurrent: Bool { false }

    func schedule(_ action: @escaping @Sendable () -> Void) {}
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
      UnusedTimers()
    }
  }

  var main: any Scheduler { ImmediateScheduler() }
  var workers: any Scheduler { ImmediateScheduler() }
  var now: Duration { .zero }

  func serial(_ label: String) -> any Scheduler { ImmediateScheduler() }
  func gate() -> any Gate { DispatchRuntime.shared.gate() }
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { DispatchRuntime.shared.task(body) }
  func cancel() {}
}
