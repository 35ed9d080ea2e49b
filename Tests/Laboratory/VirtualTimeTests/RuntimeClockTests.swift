import EventBus
import TestMachine
import Testing
import VirtualTime

/// Application code that accepts any clock.
private final class Debounce: Sendable {
  let values = Locked<[Int]>([])
  private let clock: any Clock<Duration>
  private let last = Locked(0)

  init(clock: any Clock<Duration>) { self.clock = clock }

  func take(_ value: Int) async {
    last.withLock { $0 = value }
    guard (try? await clock.sleep(for: .milliseconds(300))) != nil else { return }
    if last.withLock({ $0 }) == value { values.withLock { $0.append(value) } }
  }
}

@Suite(.blocking) struct RuntimeClockTests {
  @Test("A manual runtime drives code that accepts any clock")
  func debounce() {
    // snippet
    let runtime = ManualRuntime()
    let debounce = Debounce(clock: runtime.clock)
    // end
    for (value, time) in [(1, 0), (2, 100), (3, 1000)] {
      _ = runtime.main.schedule(after: .milliseconds(time)) { _ = runtime.task { await debounce.take(value) } }
    }
    runtime.advance(by: .milliseconds(399))
    #expect(debounce.values.withLock { $0 } == [])
    runtime.advance(by: .milliseconds(1))
    #expect(debounce.values.withLock { $0 } == [2])
    runtime.runAll()
    #expect(debounce.values.withLock { $0 } == [2, 3])
    #expect(runtime.clock.now.offset == .milliseconds(1300))
    #expect(runtime.isIdle)
  }

  @Test("A cancelled sleep throws immediately and leaves no timer behind")
  func cancelled() {
    let runtime = ManualRuntime()
    let result = Locked<String?>(nil)
    let task = runtime.task {
      do {
        try await runtime.clock.sleep(for: .seconds(60))
        result.withLock { $0 = "slept" }
      } catch {
        result.withLock { $0 = error is CancellationError ? "cancelled" : "\(error)" }
      }
    }
    runtime.runReady()
    task.cancel()
    runtime.runReady()
    #expect(result.withLock { $0 } == "cancelled")
    #expect(runtime.now == .zero)
    #expect(runtime.isIdle)
  }

  @Test("The clock of a virtual runtime measures virtual time")
  func measured() {
    let runtime = VirtualRuntime()
    let time = Locked<Duration?>(nil)
    _ = runtime.task {
      let measured = try? await runtime.clock.measure { try await runtime.clock.sleep(for: .seconds(3600)) }
      time.withLock { $0 = measured }
    }
    _ = runtime.run()
    #expect(time.withLock { $0 } == .seconds(3600))
  }
}
