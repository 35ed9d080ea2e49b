import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("A drain returns after all accepted events have been handled") struct DrainTests {
  let bag = Bag()
  let runtime = ManualRuntime()
  let bus: EventBus
  let record = Record<String>()

  init() { bus = EventBus(runtime: runtime) }

  /// Starts a drain and records its end.
  private func drain() -> Task<Void, Never> {
    let (bus, record) = (bus, record)
    return runtime.task {
      await bus.drain()
      record.append("drained")
    }
  }

  @Test("A drain of a bus without accepted events returns immediately") func idle() async {
    let drained = drain()
    runtime.runReady()
    #expect(record.values == ["drained"])
    await drained.value
  }

  @Test("A drain returns after all events have been handled, including posts by handlers") func everything() async {
    let (bus, record, runtime) = (bus, record, runtime)
    bus.subscribe(to: Number.self, on: .main) { event in
      record.append("main \(event.value)")
      if event.value < 3 { bus.post(Other(value: event.value)) }
    }.store(in: bag)
    bus.subscribe(to: Other.self, on: .scheduler(runtime.workers)) { event in
      record.append("worker \(event.value)")
      bus.post(Number(value: event.value + 1))
    }.store(in: bag)
    let drained = drain()
    bus.post(Number(value: 1))
    runtime.runReady()
    await drained.value
    #expect(record.values == ["main 1", "worker 1", "main 2", "worker 2", "main 3", "drained"])
  }

  @Test("A drain waits for a handler that runs on the posting thread") func inlineHandler() async {
    let (bus, record) = (bus, record)
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    bus.subscribe(to: Number.self) { event in
      if event.value == 1 {
        bus.post(Number(value: 2))
        entered.open()
        door.wait()
      }
      record.append("\(event.value)")
    }.store(in: bag)
    let poster = Elsewhere { bus.post(Number(value: 1)) }
    await entered.passed()
    let drained = drain()
    runtime.runReady()
    #expect(record.values.isEmpty)
    door.open()
    await poster.end()
    runtime.runReady()
    await drained.value
    #expect(record.values == ["1", "2", "drained"])
  }

  @Test("A drain waits for a replay that is being delivered") func replay() async {
    let (bus, record) = (bus, record)
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    bus.post(Sticky(value: 1))
    let subscriber = Elsewhere {
      let subscription = bus.subscribe(to: Sticky.self) { _ in
        entered.open()
        door.wait()
        record.append("replayed")
      }
      withExtendedLifetime(subscription) {}
    }
    await entered.passed()
    let drained = drain()
    runtime.runReady()
    #expect(record.values.isEmpty)
    door.open()
    await subscriber.end()
    runtime.runReady()
    await drained.value
    #expect(record.values == ["replayed", "drained"])
  }

  @Test("A drain does not wait for delayed posts or for events that wait in a stream") func whatDoesNotCount() async {
    bag.keep(bus.events(of: Number.self))
    bus.post(Number(value: 1))
    bus.post(Number(value: 2), after: .seconds(1))
    let drained = drain()
    runtime.runReady()
    #expect(record.values == ["drained"])
    await drained.value
  }

  @Test("A drain does not wait for events that are queued for cancelled subscriptions", arguments: [false, true])
  func cancelledSubscriptions(isCancelledBefore: Bool) async {
    let scheduler = HeldScheduler()
    let subscription = bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { _ in }
    let bounded = bus.subscribe(to: Number.self, on: .scheduler(scheduler, limit: .dropOldest(1))) { _ in }
    for value in 0..<3 { bus.post(Number(value: value)) }
    if isCancelledBefore { [subscription, bounded].forEach { $0.cancel() } }
    let drained = drain()
    runtime.runReady()
    #expect(record.values == (isCancelledBefore ? ["drained"] : []))
    [subscription, bounded].forEach { $0.cancel() }
    runtime.runReady()
    await drained.value
    #expect(record.values == ["drained"])
    scheduler.runAll()
  }

  @Test("A drain ends after thousands of subscriptions are cancelled", .timeLimit(.minutes(10)))
  func cancelledDuringDrain() async {
    let scheduler = HeldScheduler()
    let count = cycles(2000)
    // The limit keeps events from sharing a delivery.
    let limits = Array(repeating: Overflow.unbounded, count: count) + [.dropNewest(count)]
    let subscriptions = limits.map { bus.subscribe(to: Number.self, on: .scheduler(scheduler, limit: $0)) { _ in } }
    for value in 0..<count { bus.post(Number(value: value)) }
    let drained = drain()
    runtime.runReady()
    for subscription in subscriptions.dropLast() { subscription.cancel() }
    #expect(record.values.isEmpty)
    subscriptions.last?.cancel()
    runtime.runReady()
    await drained.value
    #expect(record.values == ["drained"])
  }

  @Test("A drain counts an event as handled if its handler throws") func throwing() async {
    let bus = EventBus(runtime: runtime, onFailure: { [record] _ in record.append("failed") })
    bus.subscribe(to: Number.self, on: .main) { _ in throw CancellationError() }.store(in: bag)
    bus.post(Number(value: 1))
    let drained = runtime.task { await bus.drain() }
    runtime.runReady()
    await drained.value
    #expect(record.values == ["failed"])
  }

  /// One drain must not end another one early.
  @Test(
    "Each of eight concurrent drains returns after its caller's events have been handled",
    arguments: DeliveryMode.queued)
  func eightAtOnce(mode: DeliveryMode) async {
    let bus = EventBus()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          let counter = Unprotected()
          let subscription = bus.subscribe(to: Renamed.self, key: "\(index)", on: mode.delivery) { _ in
            counter.count += 1
          }
          for round in 1...cycles(500) {
            bus.post(Renamed(key: "\(index)"))
            await bus.drain()
            #expect(counter.count == round)
          }
          withExtendedLifetime(subscription) {}
        }
      }
    }
  }

  @Test("A cancelled drain returns false, and other drains continue to wait", arguments: [false, true])
  func cancelled(isCancelledBefore: Bool) async {
    let bus = bus
    bus.subscribe(to: Number.self, on: .main) { _ in }.store(in: bag)
    bus.post(Number(value: 1))
    let other = drain()
    let results = Record<Bool>()
    let given = Task { results.append(await bus.drain()) }
    if !isCancelledBefore { await Task.yield() }
    given.cancel()
    await given.value
    #expect(results.values == [false])
    runtime.runReady()
    await other.value
    #expect(record.values == ["drained"])
  }

  @Test("A drain waits for calls on the posting thread when the post also fills mailboxes")
  func mailboxesAndCalls() async {
    let bus = EventBus()
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    bus.subscribe(to: Number.self, on: .workers) { _ in }.store(in: bag)
    bus.subscribe(to: Number.self) { _ in
      entered.open()
      door.wait()
    }.store(in: bag)
    let (record, poster) = (record, Elsewhere { bus.post(Number(value: 1)) })
    await entered.passed()
    let drained = Task {
      await bus.drain()
      record.append("drained")
    }
    // Other posts begin and end in the meantime.
    for value in 0..<100 { bus.post(Renamed(key: "\(value)")) }
    #expect(record.values.isEmpty)
    door.open()
    await poster.end()
    await drained.value
    #expect(record.values == ["drained"])
  }
}
