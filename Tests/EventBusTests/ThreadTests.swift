import Dispatch
import EventBus
import Synchronization
import TestMachine
import Testing

@Suite("Any number of threads can use a bus concurrently") struct ThreadTests {
  let bus = EventBus()
  let bag = Bag()

  @Test("A post reaches all 10,000 subscribers that sixteen threads register concurrently")
  func registerAtOnce() async {
    let bus = bus
    let kept = Record<Subscription>()
    let heard = Atomic(0)
    await onThreads(16) { _ in
      for _ in 0..<625 { kept.append(bus.subscribe(to: Number.self) { _ in heard.add(1, ordering: .relaxed) }) }
    }
    #expect(bus.post(Number(value: 0)) == 10_000)
    #expect(heard.load(ordering: .relaxed) == 10_000)
  }

  @Test("If sixteen threads use a type or key for the first time concurrently, they share one topic")
  func firstUse() async {
    for _ in 0..<20 {
      let bus = EventBus()
      let kept = Record<Subscription>()
      await onThreads(16) { index in
        kept.append(bus.subscribe(to: Number.self) { _ in })
        kept.append(bus.subscribe(to: Renamed.self, key: "\(index % 4)") { _ in })
        kept.append(bus.subscribe(to: Loaded<Int>.self) { _ in })
        kept.append(bus.subscribe(to: Loaded<String>.self) { _ in })
      }
      #expect(bus.post(Number(value: 0)) == 16)
      for key in 0..<4 { #expect(bus.post(Renamed(key: "\(key)")) == 4) }
      #expect(bus.post(Loaded(value: 1)) == 16)
    }
  }

  @Test(
    "In every delivery mode, each handler receives its exact share of the events from forty threads",
    arguments: DeliveryMode.allCases)
  func exactCounts(mode: DeliveryMode) async {
    let bus = bus
    let numbers = Atomic(0)
    let others = Atomic(0)
    let keyed = Atomic(0)
    let sticky = Atomic(0)
    bus.subscribe(to: Number.self, on: mode.delivery) { _ in numbers.add(1, ordering: .relaxed) }.store(in: bag)
    bus.subscribe(to: Other.self, on: mode.delivery) { _ in others.add(1, ordering: .relaxed) }.store(in: bag)
    bus.subscribe(to: Renamed.self, key: "a", on: mode.delivery) { _ in
      keyed.add(1, ordering: .relaxed)
    }.store(in: bag)
    bus.subscribe(to: Sticky.self, on: mode.delivery) { _ in sticky.add(1, ordering: .relaxed) }.store(in: bag)
    await onThreads(40) { poster in
      for value in 0..<200 {
        switch (poster + value) % 4 {
        case 0: bus.post(Number(value: value))
        case 1: bus.post(Other(value: value))
        case 2: bus.post(Renamed(key: poster.isMultiple(of: 2) ? "a" : "b"))
        default: bus.post(Sticky(value: value))
        }
      }
    }
    await bus.drain()
    #expect(numbers.load(ordering: .relaxed) == 2000)
    #expect(others.load(ordering: .relaxed) == 2000)
    #expect(keyed.load(ordering: .relaxed) == 1000)
    #expect(sticky.load(ordering: .relaxed) == 2000)
  }

  @Test(
    "A subscriber receives every event while other threads subscribe, cancel, and post",
    arguments: DeliveryMode.allCases)
  func storm(mode: DeliveryMode) async {
    let bus = bus
    let survivors = (0..<4).map { _ in Record<Int>() }
    for record in survivors {
      bus.subscribe(to: Number.self, on: mode.delivery) { record.append($0.value) }.store(in: bag)
    }
    await onThreads(8) { index in
      for value in 0..<500 {
        if index < 4 {
          bus.post(Number(value: index * 500 + value))
        } else {
          bus.subscribe(to: Number.self, on: mode.delivery, priority: value % 3) { _ in }.cancel()
        }
      }
    }
    await bus.drain()
    for record in survivors { #expect(record.values.sorted() == Array(0..<2000)) }
  }

  /// The bus compacts its list of subscribers while other threads cancel the remaining ones.
  @Test("Threads that subscribe and cancel concurrently leave no subscription behind") func churn() async {
    let bus = bus
    await onThreads(16) { index in
      for value in 0..<cycles(3000) {
        let one = bus.subscribe(to: Number.self, priority: value & 1) { _ in }
        let two = bus.subscribe(to: Renamed.self, key: "\(value % 50)") { _ in }
        let three = bus.subscribe(to: Other.self, on: .main(limit: .dropOldest(1))) { _ in }
        if index == 0 {
          bus.post(Number(value: value))
          bus.post(Renamed(key: "\(value % 50)"))
          bus.post(Other(value: value))
        }
        withExtendedLifetime((one, two, three)) {}
      }
    }
    #expect(bus.subscriberCount(for: Number.self) == 0)
    #expect(bus.subscriberCount(for: Renamed.self) == 0)
    #expect(bus.subscriberCount(for: Other.self) == 0)
    #expect(bus.post(Number(value: 0)) == 0)
  }

  /// A nested post reads a snapshot of the subscriber list while other threads remove and reuse the end of the list.
  @Test("Nested posts lose no event while other threads subscribe and cancel") func nestedPosts() async {
    let (bus, tally) = (bus, Tally())
    let counter = Atomic(0)
    bus.subscribe(to: Number.self) { bus.post(Other(value: $0.value)) }.store(in: bag)
    bus.subscribe(to: Other.self) { _ in counter.add(1, ordering: .relaxed) }.store(in: bag)
    await onThreads(8) { index in
      for value in 0..<cycles(5000) {
        if index < 3 {
          bus.post(Number(value: value))
        } else {
          bus.subscribe(to: Other.self) { [load = Load(tally)] _ in load.use() }.cancel()
        }
      }
    }
    #expect(counter.load(ordering: .relaxed) == 3 * cycles(5000))
    #expect(tally.living == 0)
  }

  @Test("Calls of a queued handler never run concurrently", arguments: DeliveryMode.queued)
  func neverBesideItself(mode: DeliveryMode) async {
    let bus = bus
    let counter = Unprotected()
    bus.subscribe(to: Number.self, on: mode.delivery) { _ in counter.count += 1 }.store(in: bag)
    await onThreads(8) { _ in for value in 0..<cycles(20_000) { bus.post(Number(value: value)) } }
    await bus.drain()
    #expect(counter.count == 8 * cycles(20_000))
  }

  @Test(
    "Handlers on one serial scheduler never run concurrently", arguments: [DeliveryMode.main, .queue, .serial])
  func neverBesideEachOther(mode: DeliveryMode) async {
    let bus = bus
    let counter = Unprotected()
    let delivery = mode.delivery
    bus.subscribe(to: Number.self, on: delivery) { _ in counter.count += 1 }.store(in: bag)
    bus.subscribe(to: Number.self, on: delivery, priority: 1) { _ in counter.count += 1 }.store(in: bag)
    bus.subscribe(to: Other.self, on: delivery) { _ in counter.count += 1 }.store(in: bag)
    await onThreads(8) { index in
      for value in 0..<cycles(5000) {
        if index.isMultiple(of: 2) { bus.post(Number(value: value)) } else { bus.post(Other(value: value)) }
      }
    }
    await bus.drain()
    #expect(counter.count == 12 * cycles(5000))
  }

  @Test("A post to a subscriber on a queue returns while the queue is blocked, and also when it is made on the queue")
  func heldQueue() async {
    let bus = bus
    let queue = DispatchQueue(label: "held")
    let (isHeld, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let record = Record<Int>()
    bus.subscribe(to: Number.self, on: .queue(queue)) { record.append($0.value) }.store(in: bag)
    queue.async {
      isHeld.open()
      door.wait()
    }
    await isHeld.passed()
    #expect(bus.post(Number(value: 1)) == 1)
    #expect(record.values.isEmpty)
    queue.async {
      bus.post(Number(value: 2))
      record.append(-1)
    }
    door.open()
    await settle(DispatchScheduler(queue, isSerial: true))
    await bus.drain()
    #expect(record.values == [1, -1, 2])
  }

  @Test(
    "A post returns while a handler of the same type is blocked",
    arguments: DeliveryMode.allCases)
  func heldHandler(mode: DeliveryMode) async {
    let bus = bus
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let record = Record<Int>()
    bus.subscribe(to: Sticky.self, on: mode.delivery) { event in
      if event.value == 0 {
        entered.open()
        door.wait()
      }
      record.append(event.value)
    }.store(in: bag)
    let first = Elsewhere { bus.post(Sticky(value: 0)) }
    await entered.passed()
    #expect(bus.post(Sticky(value: 1)) == 1)
    let late = bus.subscribe(to: Sticky.self) { record.append(10 * $0.value) }
    late.cancel()
    door.open()
    await first.end()
    await bus.drain()
    #expect(record.values.sorted() == [0, 1, 10])
  }

  @Test("On a concurrent scheduler, a slow subscriber does not delay other subscribers") func slowAndFast() async {
    let bus = bus
    let door = DispatchRuntime.shared.gate()
    let (slow, fast, reached) = (Record<Int>(), Record<Int>(), DispatchRuntime.shared.gate())
    bus.subscribe(to: Number.self, on: .scheduler(DispatchRuntime.shared.workers)) { event in
      if event.value == 0 { door.wait() }
      slow.append(event.value)
    }.store(in: bag)
    bus.subscribe(to: Number.self, on: .scheduler(DispatchRuntime.shared.workers)) { event in
      fast.append(event.value)
      if event.value == 99 { reached.open() }
    }.store(in: bag)
    for value in 0..<100 { bus.post(Number(value: value)) }
    await reached.passed()
    #expect(fast.values == Array(0..<100))
    #expect(slow.values.isEmpty)
    door.open()
    await bus.drain()
    #expect(slow.values == Array(0..<100))
  }
}
