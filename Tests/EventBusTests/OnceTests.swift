import EventBus
import TestMachine
import Testing

@Suite("A subscription with `once` receives one event") struct OnceTests {
  let bus = EventBus()
  let bag = Bag()
  let record = Record<Int>()

  @Test(
    "A subscription with `once` is called once and then ends, in every delivery mode", arguments: DeliveryMode.allCases)
  func once(mode: DeliveryMode) async {
    let tally = Tally()
    let subscription = bus.subscribe(to: Number.self, on: mode.delivery, once: true) { [record, load = Load(tally)] in
      record.append($0.value)
      load.use()
    }
    for value in 1...3 { bus.post(Number(value: value)) }
    await bus.drain()
    #expect(record.values == [1])
    #expect(!subscription.isActive)
    #expect(tally.living == 0)
    #expect(bus.post(Number(value: 4)) == 0)
  }

  @Test("A subscription with `once` may have a key and deliver on main") func forms() async {
    let subscriptions = [
      bus.subscribe(to: Renamed.self, key: "a", once: true) { [record] _ in record.append(1) },
      bus.subscribe(to: Renamed.self, on: .main, once: true) { [record] _ in record.append(2) },
      bus.subscribe(to: Renamed.self, key: "a", on: .main, once: true) { [record] _ in record.append(3) },
    ]
    for _ in 0..<2 { bus.post(Renamed(key: "a")) }
    await bus.drain()
    #expect(record.values.sorted() == [1, 2, 3])
    #expect(!subscriptions.contains { $0.isActive })
  }

  @Test("If a handler with `once` throws, the bus reports the error and does not call it again") func throwing() {
    let failures = Record<any Error>()
    let bus = EventBus(onFailure: { failures.append($0.error) })
    let subscription = bus.subscribe(to: Number.self, once: true) { _ in throw CancellationError() }
    #expect(bus.post(Number(value: 1)) == 1)
    #expect(bus.post(Number(value: 2)) == 0)
    #expect(failures.values.count == 1 && failures.values.first is CancellationError)
    #expect(!subscription.isActive)
  }

  @Test("A post inside a handler with `once` does not call it again") func nested() {
    let (bus, record) = (bus, record)
    bus.subscribe(to: Number.self, once: true) { event in
      record.append(event.value)
      bus.post(Number(value: event.value + 1))
    }.store(in: bag)
    bus.post(Number(value: 1))
    #expect(record.values == [1])
  }

  @Test("Under concurrent posters, a handler with `once` is called exactly once and no call fails")
  func manyPosters() async {
    let failures = Record<HandlerFailure>()
    let bus = EventBus(onFailure: { failures.append($0) })
    for _ in 0..<cycles(500) {
      let calls = Record<Int>()
      let subscription = bus.subscribe(to: Number.self, once: true) { calls.append($0.value) }
      await onThreads(3) { _ = bus.post(Number(value: $0)) }
      #expect(calls.values.count == 1)
      #expect(!subscription.isActive)
    }
    #expect(failures.values.isEmpty)
  }
}
