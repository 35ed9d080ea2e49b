import EventBus
import TestMachine
import Testing

@Suite("cancelAndWait() cancels a subscription and waits for its running calls") struct CancelAndWaitTests {
  let bag = Bag()

  /// The handler blocks its queue, or the posting thread if the mode is `posting`.
  @Test(
    "cancelAndWait() returns only after a handler that runs on another thread has returned",
    arguments: [DeliveryMode.posting, .serial, .concurrent])
  func heldElsewhere(mode: DeliveryMode) async {
    let record = Record<String>()
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    // The handler continues only when the cancelling thread has begun to wait.
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

  @Test("Several threads can wait for one handler with cancelAndWait(), and each returns after it")
  func severalWait() async {
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
    // Each of the two calls waits for the door.
    for _ in 0..<2 { door.open() }
    for thread in cancellers + posters { await thread.end() }
    #expect(record.values == ["handled", "handled", "returned", "returned", "returned"])
  }

  @Test(
    "Inside its own handler, cancelAndWait() returns immediately in every delivery mode",
    arguments: DeliveryMode.allCases)
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

  @Test("cancelAndWait() returns immediately if a nested bus's handler cancels the outer subscription")
  func insideANestedBus() {
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

  @Test("cancelAndWait() does not wait for other running handlers of the same type") func othersDoNotMatter() async {
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let bus = EventBus(runtime: WatchedRuntime(onWait: { Issue.record("cancelAndWait() waited for another handler.") }))
    let early = bus.subscribe(to: Number.self) { _ in }
    bus.subscribe(to: Number.self) { _ in
      entered.open()
      door.wait()
    }.store(in: bag)
    let late = bus.subscribe(to: Number.self) { _ in Issue.record("A cancelled handler was called.") }
    let poster = Elsewhere { bus.post(Number(value: 1)) }
    await entered.passed()
    await Elsewhere {
      early.cancelAndWait()
      late.cancelAndWait()
    }.end()
    door.open()
    await poster.end()
  }

  @Test(
    "After cancelAndWait() returns, no call runs even if other threads post constantly",
    arguments: DeliveryMode.allCases)
  func storm(mode: DeliveryMode) async {
    let bus = EventBus()
    let posters = (0..<3).map { _ in Elsewhere { for value in 0..<cycles(5000) { bus.post(Number(value: value)) } } }
    await Elsewhere {
      for _ in 0..<cycles(500) {
        // The cycle changes and frees the memory at its end, so a call that is still running would use it after that.
        let memory = UncountedMemory()
        let subscription = bus.subscribe(to: Number.self, on: mode.delivery) { _ in
          if memory.address.pointee != 0 { Issue.record("The handler ran after cancelAndWait() had returned.") }
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

/// Memory without a reference count.
private struct UncountedMemory: @unchecked Sendable {
  let address = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() { address.initialize(to: 0) }

  func free() { address.deallocate() }
}
