import EventBus
import TestMachine
import Testing

@Suite("A subscription for one event") struct OnceTests {
  let bus = EventBus()
  let bag = Bag()
  let record = Record<Int>()

  @Test("It is called once and then ends, in every mode", arguments: DeliveryMode.allCases)
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

  @Test("With a key, with an owner, and on main") func forms() async {
    let owner = Load(Tally())
    let subscriptions = [
      bus.subscribe(to: Renamed.self, key: "a", once: true) { [record] _ in record.append(1) },
      bus.subscribe(owner, to: Renamed.self, once: true) { [record] _, _ in record.append(2) },
      bus.subscribe(owner, to: Renamed.self, key: "a", once: true) { [record] _, _ in record.append(3) },
      bus.subscribe(to: Renamed.self, on: .main, once: true) { [record] _ in record.append(4) },
    ]
    for _ in 0..<2 { bus.post(Renamed(key: "a")) }
    await bus.drain()
    #expect(record.values.sorted() == [1, 2, 3, 4])
    #expect(!subscriptions.contains { $0.isActive })
  }

  @Test("A handler that throws has had its event; the failure is reported") func throwing() {
    let failures = Record<any Error>()
    let bus = EventBus(onFailure: { failures.append($0.error) })
    let subscription = bus.subscribe(to: Number.self, once: true) { _ in throw CancellationError() }
    #expect(bus.post(Number(value: 1)) == 1)
    #expect(bus.post(Number(value: 2)) == 0)
    #expect(failures.values.count == 1 && failures.values.first is CancellationError)
    #expect(!subscription.isActive)
  }

  @Test("An owner that is gone is no failure") func deadOwner() {
    let failures = Record<HandlerFailure>()
    let bus = EventBus(onFailure: { failures.append($0) })
    var owner: Load? = Load(Tally())
    let subscription = bus.subscribe(owner!, to: Number.self, once: true) { _, _ in }
    owner = nil
    #expect(bus.post(Number(value: 1)) == 0)
    #expect(failures.values.isEmpty && !subscription.isActive)
  }

  @Test("A post inside its handler does not reach it again") func nested() {
    let (bus, record) = (bus, record)
    bus.subscribe(to: Number.self, once: true) { event in
      record.append(event.value)
      bus.post(Number(value: event.value + 1))
    }.store(in: bag)
    bus.post(Number(value: 1))
    #expect(record.values == [1])
  }

  @Test("Of many posters at once, one is heard") func manyPosters() async {
    let bus = bus
    for _ in 0..<cycles(500) {
      let calls = Record<Int>()
      let subscription = bus.subscribe(to: Number.self, once: true) { calls.append($0.value) }
      await onThreads(3) { _ = bus.post(Number(value: $0)) }
      #expect(calls.values.count == 1)
      #expect(!subscription.isActive)
    }
  }
}
