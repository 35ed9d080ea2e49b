import EventBus
import TestMachine
import Testing

@Suite("Unsubscribe, and wait") struct CancelAndWaitTests {
  let bag = Bag()

  /// A queue is held by its own handler, a posting thread by the handler that it calls.
  @Test(
    "cancelAndWait returns after a handler that runs elsewhere",
    arguments: [DeliveryMode.posting, .serial, .concurrent])
  func heldElsewhere(mode: DeliveryMode) async {
    let record = Record<String>()
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    // The handler is let go only once the canceller stands before its gate.
    let bus = EventBus(runtime: WatchedRuntime(onWait: { door.open() }))
    let subscription = bus.subscribe(to: Number.self, on: mode.delivery) { _ in
      entered.open()
      door.wait()
      record.append("handled")
    }
    let poster = Elsewhere { bus.post(Number(value: 1)) }
    await entered.passed()
    await Elsewhere {
      subscription.cancelAndWait()
      record.append("returned")
    }.end()
    #expect(record.values == ["handled", "returned"])
    #expect(!subscription.isActive)
    await poster.end()
  }

  @Test("Several may wait for one handler, and each returns after it") func severalWait() async {
    let record = Record<String>()
    let (entered, door, waiting) = (
      DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate()
    )
    let bus = EventBus(runtime: WatchedRuntime(onWait: { waiting.open() }))
    let subscription = bus.subscribe(to: Number.self) { _ in
      entered.open()
      door.wait()
      record.append("handled")
    }
    let posters = (0..<2).map { _ in Elsewhere { bus.post(Number(value: 1)) } }
    for _ in 0..<2 { await entered.passed() }
    let cancellers = (0..<3).map { _ in
      Elsewhere {
        subscription.cancelAndWait()
        record.append("returned")
      }
    }
    for _ in 0..<3 { await waiting.passed() }
    #expect(record.values.isEmpty)
    // The second of the two calls opens more gates, which nobody else waits for.
    for _ in 0..<2 { door.open() }
    for thread in cancellers + posters { await thread.end() }
    #expect(record.values == ["handled", "handled", "returned", "returned", "returned"])
  }

  @Test("Inside the handler it returns at once, in every mode", arguments: DeliveryMode.allCases)
  func insideTheHandler(mode: DeliveryMode) async {
    let bus = EventBus(runtime: DispatchRuntime.shared)
    let record = Record<String>()
    let itself = Locked<Subscription?>(nil)
    let (ready, done) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let subscription = bus.subscribe(to: Number.self, on: mode.delivery) { _ in
      ready.wait()
      itself.withLock { $0 }?.cancelAndWait()
      record.append("returned")
      done.open()
    }
    itself.withLock { $0 = subscription }
    ready.open()
    bus.post(Number(value: 1))
    await done.passed()
    #expect(bus.post(Number(value: 2)) == 0)
    #expect(record.values == ["returned"])
    itself.withLock { $0 = nil }
  }

  @Test("cancelAndWait() returns at once in a nested bus's handler") func insideANestedBus() {
    let (outer, inner) = (EventBus(), EventBus())
    let record = Record<String>()
    let itself = Locked<Subscription?>(nil)
    inner.subscribe(to: Number.self) { _ in
      itself.withLock { $0 }?.cancelAndWait()
      record.append("returned")
    }.store(in: bag)
    let subscription = outer.subscribe(to: Number.self) { inner.post($0) }
    itself.withLock { $0 = subscription }
    outer.post(Number(value: 1))
    #expect(record.values == ["returned"])
    #expect(!subscription.isActive)
    itself.withLock { $0 = nil }
  }

  @Test("cancelAndWait() ignores other running handlers of the type") func othersDoNotMatter() async {
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let bus = EventBus(runtime: WatchedRuntime(onWait: { Issue.record("It waits.") }))
    let early = bus.subscribe(to: Number.self) { _ in }
    bus.subscribe(to: Number.self) { _ in
      entered.open()
      door.wait()
    }.store(in: bag)
    let late = bus.subscribe(to: Number.self) { _ in Issue.record("It was called.") }
    let poster = Elsewhere { bus.post(Number(value: 1)) }
    await entered.passed()
    await Elsewhere {
      early.cancelAndWait()
      late.cancelAndWait()
    }.end()
    door.open()
    await poster.end()
  }

  @Test("After cancelAndWait() no call runs, despite constant posts", arguments: DeliveryMode.allCases)
  func storm(mode: DeliveryMode) async {
    let bus = EventBus()
    let posters = (0..<3).map { _ in Elsewhere { for value in 0..<cycles(5000) { bus.post(Number(value: value)) } } }
    await Elsewhere {
      for _ in 0..<cycles(500) {
        // Changed and freed when the cycle ends: a call that was still under way would use it after that.
        let memory = UncountedMemory()
        let subscription = bus.subscribe(to: Number.self, on: mode.delivery) { _ in
          if memory.address.pointee != 0 { Issue.record("It was called after the end.") }
        }
        bus.post(Number(value: 0))
        subscription.cancelAndWait()
        memory.address.pointee = -1
        memory.free()
      }
    }.end()
    for poster in posters { await poster.end() }
    await bus.drain()
  }
}

/// Memory that nobody counts references to.
private struct UncountedMemory: @unchecked Sendable {
  let address = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() { address.initialize(to: 0) }

  func free() { address.deallocate() }
}
