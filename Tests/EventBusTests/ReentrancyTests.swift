import EventBus
import TestMachine
import Testing

@Suite("A post inside a handler is delivered after the current event, for every kind of subscriber")
struct ReentrancyTests {
  let bus = EventBus()
  let bag = Bag()

  @Test("A post inside a handler is delivered after the current event")
  func breadthFirst() {
    let bus = bus
    let record = Record<String>()
    bus.subscribe(to: Number.self) { event in
      record.append("first \(event.value)")
      if event.value == 0 {
        #expect(bus.post(Number(value: 1)) == 2)
        #expect(bus.post(Other(value: 2)) == 0)
        record.append("posted")
      }
    }.store(in: bag)
    bus.subscribe(to: Number.self) { record.append("second \($0.value)") }.store(in: bag)
    bus.post(Number(value: 0))
    #expect(record.values == ["first 0", "posted", "second 0", "first 1", "second 1"])
  }

  @Test("Nested posts keep their order across types, mailboxes, and streams") func acrossModes() async {
    let bus = bus
    let scheduler = HeldScheduler()
    let record = Record<String>()
    let stream = bus.events(of: Number.self)
    bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { record.append("queued \($0.value)") }.store(in: bag)
    bus.subscribe(to: Number.self) { event in
      if event.value == 0 {
        #expect(bus.post(Other(value: 1)) == 2)
        #expect(bus.post(Number(value: 2)) == 4)
      }
      record.append("first \(event.value)")
    }.store(in: bag)
    bus.subscribe(to: Other.self) { record.append("other \($0.value)") }.store(in: bag)
    bus.subscribe(to: Other.self, on: .scheduler(scheduler)) {
      record.append("queued other \($0.value)")
    }.store(in: bag)
    bus.subscribe(to: Number.self) { record.append("second \($0.value)") }.store(in: bag)
    #expect(bus.post(Number(value: 0)) == 4)
    scheduler.runAll()
    #expect(
      record.values == [
        "first 0", "second 0", "other 1", "first 2", "second 2", "queued 0", "queued other 1", "queued 2",
      ])
    var iterator = stream.makeAsyncIterator()
    #expect(await [iterator.next()?.value, iterator.next()?.value] == [0, 2])
  }

  @Test(
    "A chain of 100,000 nested posts runs in constant stack space", arguments: DeliveryMode.allCases)
  func longChain(mode: DeliveryMode) async {
    let bus = bus
    let last = Locked(0)
    let end = cycles(mode == .posting ? 100_000 : 20_000)
    bus.subscribe(to: Number.self, on: mode.delivery) { event in
      last.withLock { $0 = event.value }
      if event.value < end { bus.post(Number(value: event.value + 1)) }
    }.store(in: bag)
    bus.post(Number(value: 0))
    await bus.drain()
    #expect(last.withLock { $0 } == end)
  }

  @Test(
    "A nested post reaches the subscribers that exist when it is made")
  func snapshot() {
    let bus = bus
    let record = Record<String>()
    let late = Record<Subscription>()
    let leaving = Record<Subscription>()
    bus.subscribe(to: Number.self) { event in
      record.append("first \(event.value)")
      guard event.value == 0 else { return }
      #expect(bus.post(Number(value: 1)) == 2)
      leaving.values.forEach { $0.cancel() }
      late.append(bus.subscribe(to: Number.self) { record.append("late \($0.value)") })
      #expect(bus.post(Number(value: 2)) == 2)
    }.store(in: bag)
    leaving.append(bus.subscribe(to: Number.self) { record.append("leaving \($0.value)") })
    #expect(bus.post(Number(value: 0)) == 1)
    #expect(record.values == ["first 0", "first 1", "first 2", "late 2"])
  }

  @Test("Each of two nested buses keeps its order and queues the posts that the other's handlers make")
  func nestedBuses() {
    let (outer, inner) = (bus, EventBus())
    let record = Record<String>()
    outer.subscribe(to: Number.self) { event in
      record.append("outer \(event.value)")
      if event.value == 0 { #expect(inner.post(Number(value: 10)) == 2) }
    }.store(in: bag)
    outer.subscribe(to: Number.self) { record.append("outer again \($0.value)") }.store(in: bag)
    inner.subscribe(to: Number.self) { event in
      record.append("inner \(event.value)")
      if event.value == 10 {
        #expect(outer.post(Number(value: 1)) == 2)
        #expect(inner.post(Number(value: 11)) == 2)
      }
    }.store(in: bag)
    inner.subscribe(to: Number.self) { record.append("inner again \($0.value)") }.store(in: bag)
    outer.post(Number(value: 0))
    #expect(
      record.values == [
        "outer 0", "inner 10", "inner again 10", "inner 11", "inner again 11", "outer again 0", "outer 1",
        "outer again 1",
      ])
  }

  /// The posting thread hashes the key while it looks for subscribers, in the middle of a handler.
  @Test("A post by an object that a nested post releases is delivered after the current event")
  func releasedByANestedPost() async {
    let (bus, record, tally) = (bus, Record<String>(), Tally())
    let isLeaving = Locked<Subscription?>(nil)
    let canceller = DispatchRuntime.shared.serial("canceller")
    bus.subscribe(to: SlowKeyed.self, key: SlowKey(value: 0, onHash: {})) { _ in }.store(in: bag)
    var load: Load? = Load(tally) { bus.post(Other(value: 1)) }
    let leaving = bus.subscribe(to: SlowKeyed.self) { [load] _ in load?.use() }
    load = nil
    isLeaving.withLock { $0 = leaving }
    bus.subscribe(to: Other.self) { _ in record.append("last words") }.store(in: bag)
    bus.subscribe(to: Number.self) { _ in
      bus.post(
        SlowKeyed(
          key: SlowKey(value: 1) {
            let gate = DispatchRuntime.shared.gate()
            canceller.schedule {
              isLeaving.withLock { $0 }?.cancel()
              gate.open()
            }
            gate.wait()
          }))
      record.append("first")
    }.store(in: bag)
    bus.subscribe(to: Number.self) { _ in record.append("second") }.store(in: bag)
    bus.post(Number(value: 0))
    #expect(record.values == ["first", "second", "last words"])
    #expect(tally.living == 0)
  }

  @Test("A post in an event's deinit is delivered before the mailbox's next event", arguments: [false, true])
  func lastWordsOfAnEvent(isBurst: Bool) {
    let (bus, record, tally, scheduler) = (bus, Record<String>(), Tally(), HeldScheduler())
    bus.subscribe(to: Loading.self, on: .scheduler(scheduler)) { _ in record.append("event") }.store(in: bag)
    bus.subscribe(to: Number.self) { record.append("last words \($0.value)") }.store(in: bag)
    // A mailbox with a limit takes events one at a time.
    if !isBurst {
      bus.subscribe(to: Loading.self, on: .scheduler(scheduler, limit: .dropOldest(9))) { _ in }.store(in: bag)
    }
    for value in 0..<3 { bus.post(Loading(load: Load(tally, lastWords: { bus.post(Number(value: value)) }))) }
    scheduler.runAll()
    #expect(record.values == (0..<3).flatMap { ["event", "last words \($0)"] })
  }

  @Test("A nested post is delivered before the posts of objects that it releases")
  func releasedByPost() {
    let bus = bus
    let record = Record<Int>()
    bus.subscribe(to: StickyLoading.self) { event in record.append(event.number) }.store(in: bag)
    bus.subscribe(to: Number.self) { _ in
      bus.post(StickyLoading(load: Load(Tally()), number: 2))
    }.store(in: bag)
    let last = StickyLoading(load: Load(Tally()), number: 3)
    bus.post(StickyLoading(load: Load(Tally(), lastWords: { bus.post(last) }), number: 1))
    bus.post(Number(value: 0))
    #expect(record.values == [1, 2, 3])
  }
}

private struct SlowKey: Hashable {
  let value: Int
  let onHash: @Sendable () -> Void

  static func == (one: SlowKey, other: SlowKey) -> Bool { one.value == other.value }

  func hash(into hasher: inout Hasher) {
    onHash()
    hasher.combine(value)
  }
}

private struct SlowKeyed: KeyedEvent { let key: SlowKey }
