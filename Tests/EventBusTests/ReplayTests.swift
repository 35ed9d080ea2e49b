import EventBus
import Synchronization
import TestMachine
import Testing
import VirtualTime

@Suite("A new subscriber receives the replay of its type and then live events") struct ReplayTests {
  let bus = EventBus()
  let bag = Bag()

  @Test("A late subscriber receives the newest event once and then live events", arguments: DeliveryMode.allCases)
  func newestOnce(mode: DeliveryMode) async {
    let record = Record<Int>()
    for value in 1...3 { bus.post(Sticky(value: value)) }
    bus.subscribe(to: Sticky.self, on: mode.delivery) { record.append($0.value) }.store(in: bag)
    await bus.drain()
    #expect(record.values == [3])
    #expect(bus.post(Sticky(value: 4)) == 1)
    await bus.drain()
    #expect(record.values == [3, 4])
  }

  @Test(
    "A type that replays two events replays the newest two, and live events follow", arguments: DeliveryMode.allCases)
  func newestTwo(mode: DeliveryMode) async {
    let record = Record<Int>()
    for value in 1...5 { bus.post(Recent(value: value)) }
    bus.subscribe(to: Recent.self, on: mode.delivery) { record.append($0.value) }.store(in: bag)
    for value in 6...7 { bus.post(Recent(value: value)) }
    await bus.drain()
    #expect(record.values == [4, 5, 6, 7])
  }

  @Test("A stream yields the replayed events before live events") func stream() async {
    for value in 1...5 { bus.post(Recent(value: value)) }
    var iterator = bus.events(of: Recent.self).makeAsyncIterator()
    bus.post(Recent(value: 6))
    #expect(await [iterator.next()?.value, iterator.next()?.value, iterator.next()?.value] == [4, 5, 6])
  }

  @Test("A subscriber with a key receives the replay for its key, and one without a key that for all keys")
  func keyed() {
    for value in 1...6 { bus.post(Status(key: value.isMultiple(of: 2) ? "even" : "odd", value: value)) }
    bus.post(Status(key: "odd", value: 8))
    let record = Record<String>()
    bus.subscribe(to: Status.self, key: "even") { record.append("even \($0.value)") }.store(in: bag)
    bus.subscribe(to: Status.self, key: "odd") { record.append("odd \($0.value)") }.store(in: bag)
    bus.subscribe(to: Status.self, key: "none") { record.append("none \($0.value)") }.store(in: bag)
    bus.subscribe(to: Status.self) { record.append("all \($0.value)") }.store(in: bag)
    #expect(record.values == ["even 4", "even 6", "odd 5", "odd 8", "all 6", "all 8"])
  }

  @Test("A key's replay stays while events with other keys are posted and forgotten") func manyKeys() {
    bus.post(Status(key: "kept", value: 1))
    for value in 0..<1000 {
      bus.post(Status(key: "\(value)", value: value))
      bus.forget(Status.self, key: "\(value)")
    }
    let record = Record<Int>()
    bus.subscribe(to: Status.self, key: "kept") { record.append($0.value) }.store(in: bag)
    #expect(record.values == [1])
    #expect(bus.last(Status.self, key: "999") == nil)
  }

  @Test("last() returns the newest event only if its type replays") func last() {
    #expect(bus.last(Sticky.self) == nil)
    bus.post(Sticky(value: 1))
    bus.post(Sticky(value: 2))
    bus.post(Number(value: 3))
    for key in ["a", "b"] { bus.post(Status(key: key, value: 4)) }
    bus.post(Status(key: "a", value: 5))
    #expect(bus.last(Sticky.self)?.value == 2)
    #expect(bus.last(Number.self) == nil)
    #expect(bus.last(Status.self)?.value == 5)
    #expect(bus.last(Status.self, key: "b")?.value == 4)
    #expect(bus.last(Status.self, key: "c") == nil)
  }

  @Test("A forgotten event is not replayed, with a key and without") func forget() {
    let record = Record<String>()
    bus.post(Sticky(value: 1))
    bus.forget(Sticky.self)
    #expect(bus.last(Sticky.self) == nil)
    for value in 1...4 { bus.post(Status(key: value.isMultiple(of: 2) ? "even" : "odd", value: value)) }
    bus.forget(Status.self, key: "even")
    bus.subscribe(to: Sticky.self) { record.append("sticky \($0.value)") }.store(in: bag)
    bus.subscribe(to: Status.self, key: "even") { record.append("even \($0.value)") }.store(in: bag)
    bus.subscribe(to: Status.self, key: "odd") { record.append("odd \($0.value)") }.store(in: bag)
    bus.subscribe(to: Status.self) { record.append("all \($0.value)") }.store(in: bag)
    #expect(record.values == ["odd 1", "odd 3", "all 3"])
    record.removeAll()
    bus.forget(Status.self)
    bus.subscribe(to: Status.self, key: "odd") { record.append("odd \($0.value)") }.store(in: bag)
    bus.subscribe(to: Status.self) { record.append("all \($0.value)") }.store(in: bag)
    #expect(record.values.isEmpty)
  }

  @Test("A handler may forget the event that it is handling") func forgetInside() {
    let bus = bus
    let record = Record<Int>()
    let consumer = bus.subscribe(to: Sticky.self) { event in
      record.append(event.value)
      bus.forget(Sticky.self)
    }
    bus.post(Sticky(value: 1))
    bus.subscribe(to: Sticky.self) { record.append(-$0.value) }.store(in: bag)
    #expect(record.values == [1])
    consumer.cancel()
    bus.post(Sticky(value: 2))
    // It may do so during its own replay, too.
    bus.subscribe(to: Sticky.self) { event in
      record.append(event.value * 10)
      bus.forget(Sticky.self)
    }.store(in: bag)
    #expect(record.values == [1, -2, 20])
    #expect(bus.last(Sticky.self) == nil)
  }

  @Test("A subscription that is made in a handler receives its replay after the current event") func insideAHandler() {
    let bus = bus
    let record = Record<String>()
    let late = Record<Subscription>()
    bus.post(Sticky(value: 1))
    bus.subscribe(to: Number.self) { _ in
      late.append(bus.subscribe(to: Sticky.self) { record.append("replayed \($0.value)") })
      record.append("subscribed")
      bus.post(Sticky(value: 2))
    }.store(in: bag)
    bus.subscribe(to: Number.self) { _ in record.append("second") }.store(in: bag)
    bus.post(Number(value: 0))
    #expect(record.values == ["subscribed", "second", "replayed 1", "replayed 2"])
  }
}
