import EventBus
import TestMachine
import Testing
import VirtualTime

private struct Number: Event { let value: Int }

/// The main scheduler of a runtime grants main-actor isolation to the actions that it runs, and to no other code.
@Suite("The main scheduler of any runtime grants main-actor isolation", .childProcesses) struct MainActorGrantTests {
  @MainActor private final class Window {
    private(set) var titles: [Int] = []
    private var subscriptions: Set<Subscription> = []

    func open(_ bus: EventBus) {
      bus.subscribe(to: Number.self, on: .main) { [weak self] event in self?.titles.append(event.value) }
        .store(in: &subscriptions)
    }

    func titles(above limit: Int) -> [Int] { titles.filter { $0 > limit && titles.contains($0) } }
  }

  @Test("A main-actor class works on the main scheduler of a virtual run") func virtual() {
    let runtime = VirtualRuntime()
    let bus = EventBus(runtime: runtime)
    let titles = Locked<[[Int]]>([])
    runtime.scheduleOnMain {
      let window = Window()
      window.open(bus)
      bus.post(Number(value: 1))
      _ = runtime.scheduleOnMain(after: .seconds(1)) {
        let seen = window.titles
        titles.withLock { $0.append(seen) }
      }
    }
    runtime.run()
    #expect(titles.withLock { $0 } == [[1]])
    #expect(runtime.now == .seconds(1))
    runtime.close()
  }

  @Test("A main-actor handler runs on the main scheduler of a manual runtime") func byHand() {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    let seen = Locked(0)
    let subscription = bus.subscribe(to: Number.self, on: .main) { @MainActor event in
      seen.withLock { $0 += event.value }
    }
    bus.post(Number(value: 1))
    #expect(seen.withLock { $0 } == 0)
    runtime.runReady()
    #expect(seen.withLock { $0 } == 1)
    subscription.cancel()
  }

  @Test("On the main scheduler of a manual runtime, the standard library can call a main-actor closure")
  func closures() {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    let found = Locked<[Int]>([])
    runtime.scheduleOnMain {
      let window = Window()
      window.open(bus)
      for value in 1...3 { bus.post(Number(value: value)) }
      runtime.scheduleOnMain {
        let above = window.titles(above: 1)
        found.withLock { $0 = above }
      }
    }
    runtime.runReady()
    #expect(found.withLock { $0 } == [2, 3])
  }

  @Test("MainActor.assumeIsolated succeeds on the main scheduler of a run, even of a nested run") func assumed() {
    let (outer, inner) = (ManualRuntime(), ManualRuntime())
    let count = Locked(0)
    outer.scheduleOnMain {
      inner.scheduleOnMain { MainActor.assumeIsolated { count.withLock { $0 += 1 } } }
      inner.runReady()
      MainActor.assumeIsolated { count.withLock { $0 += 1 } }
    }
    outer.runReady()
    #expect(count.withLock { $0 } == 2)
  }

  @Test("MainActor.assumeIsolated stops the process on a worker and in a main action without isolation")
  func notAssumed() async {
    await #expect(processExitsWith: .failure) {
      let runtime = ManualRuntime()
      runtime.workers.schedule { MainActor.assumeIsolated {} }
      runtime.runReady()
    }
    await #expect(processExitsWith: .failure) {
      let runtime = ManualRuntime()
      runtime.scheduleOnMain {}
      runtime.main.schedule { MainActor.assumeIsolated {} }
      runtime.runReady()
    }
  }

  @Test("assumeMainActor returns the value and throws the error of its body") func results() {
    let runtime = ManualRuntime()
    runtime.main.schedule {
      #expect(runtime.assumeMainActor { 7 } == 7)
      #expect(throws: CancellationError.self) { try runtime.assumeMainActor { throw CancellationError() } }
    }
    runtime.runReady()
  }

  @Test("The main scheduler of one run grants no isolation to another run") func otherRun() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (one, other) = (ManualRuntime(), ManualRuntime())
      one.main.schedule { other.assumeMainActor(function: "assumed in another run") {} }
      one.runReady()
    }
    try expect(result, toSay: "assumed in another run was not called on the main scheduler")
  }

  @Test("The workers of a run grant no main-actor isolation") func workers() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let runtime = ManualRuntime()
      runtime.workers.schedule { runtime.assumeMainActor(function: "assumed by a worker") {} }
      runtime.runReady()
    }
    try expect(result, toSay: "assumed by a worker was not called on the main scheduler")
  }

  @Test("On the main queue, a manual runtime grants no main-actor isolation") func mainQueue() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let runtime = ManualRuntime()
      await MainActor.run { runtime.assumeMainActor(function: "assumed on the main queue") {} }
    }
    try expect(result, toSay: "assumed on the main queue was not called on the main scheduler")
  }

  @Test("On the main queue, the Dispatch runtime grants main-actor isolation") func dispatch() async {
    #expect(await MainActor.run { DispatchRuntime.shared.assumeMainActor { 7 } } == 7)
  }

  private func expect(_ result: ExitTest.Result?, toSay text: String) throws {
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains(text))
  }
}
