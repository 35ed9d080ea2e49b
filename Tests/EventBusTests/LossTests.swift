import EventBus
import TestMachine
import Testing

@Suite("A mailbox with a limit drops events by its rule and counts them") struct LossTests {
  let bus = EventBus()
  let bag = Bag()
  let scheduler = HeldScheduler()

  @Test("dropOldest keeps the newest events and counts each loss") func dropOldest() {
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self, on: .scheduler(scheduler, limit: .dropOldest(3))) {
      record.append($0.value)
    }
    for round in 1...3 {
      record.removeAll()
      for value in 0..<10 { #expect(bus.post(Number(value: value)) == 1) }
      scheduler.runAll()
      #expect(record.values == [7, 8, 9])
      #expect(subscription.dropped == 7 * round)
    }
  }

  @Test("dropNewest keeps the oldest events, rejects the others, and counts each loss") func dropNewest() {
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self, on: .scheduler(scheduler, limit: .dropNewest(3))) {
      record.append($0.value)
    }
    for round in 1...3 {
      record.removeAll()
      #expect((0..<5).map { bus.post(Number(value: $0)) } == [1, 1, 1, 0, 0])
      scheduler.runAll()
      #expect(record.values == [0, 1, 2])
      #expect(subscription.dropped == 2 * round)
    }
  }

  @Test("Each subscription on a shared scheduler has its own limit and counts its own losses") func perSubscription() {
    let records = (0..<5).map { _ in Record<Int>() }
    let overflows: [Overflow] = [.unbounded, .dropOldest(1), .dropNewest(1), .dropOldest(4), .dropNewest(4)]
    let subscriptions = zip(overflows, records).map { overflow, record in
      bus.subscribe(to: Renamed.self, on: .scheduler(scheduler, limit: overflow)) {
        record.append(Int($0.name) ?? -1)
      }
    }
    let keyed = Record<Int>()
    let ofKey = bus.subscribe(to: Renamed.self, key: "a", on: .scheduler(scheduler, limit: .dropOldest(2))) {
      keyed.append(Int($0.name) ?? -1)
    }
    let accepted = (0..<6).map { bus.post(Renamed(key: $0.isMultiple(of: 2) ? "a" : "b", name: "\($0)")) }
    #expect(accepted == [6, 4, 5, 4, 4, 3])
    scheduler.runAll()
    #expect(records.map(\.values) == [[0, 1, 2, 3, 4, 5], [5], [0], [2, 3, 4, 5], [0, 1, 2, 3]])
    #expect(keyed.values == [2, 4])
    #expect(subscriptions.map(\.dropped) == [0, 5, 5, 2, 2])
    #expect(ofKey.dropped == 1)
  }

  @Test("Replayed events count toward the limit of a mailbox") func replayOverflows() {
    for value in 1...2 { bus.post(Recent(value: value)) }
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Recent.self, on: .scheduler(scheduler, limit: .dropOldest(1))) {
      record.append($0.value)
    }
    bus.post(Recent(value: 3))
    scheduler.runAll()
    #expect(record.values == [3])
    #expect(subscription.dropped == 2)
  }

  @Test("The event that is being handled does not count toward the limit of its mailbox") func beingHandled() {
    let bus = bus
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self, on: .scheduler(scheduler, limit: .dropOldest(1))) { event in
      record.append(event.value)
      if event.value == 0 { for value in 1...3 { bus.post(Number(value: value)) } }
    }
    bus.post(Number(value: 0))
    scheduler.runAll()
    #expect(record.values == [0, 3])
    #expect(subscription.dropped == 2)
  }

  @Test("An event can be dropped for one subscriber while another one handles it")
  func droppedMeanwhile() {
    let bus = bus
    let record = Record<String>()
    bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { event in
      record.append("first \(event.value)")
      if event.value == 0 { bus.post(Number(value: 1)) }
    }.store(in: bag)
    let second = bus.subscribe(to: Number.self, on: .scheduler(scheduler, limit: .dropOldest(1))) {
      record.append("second \($0.value)")
    }
    bus.post(Number(value: 0))
    scheduler.runAll()
    #expect(record.values == ["first 0", "first 1", "second 1"])
    #expect(second.dropped == 1)
  }

  @Test(
    "Under eight concurrent posters, handled and dropped events add up to the posted ones",
    arguments: DeliveryMode.queued)
  func addsUp(mode: DeliveryMode) async {
    let bus = bus
    let place = mode.place
    let counters = (0..<4).map { _ in Unprotected() }
    let overflows: [Overflow] = [.dropOldest(1), .dropNewest(1), .dropOldest(100), .unbounded]
    let subscriptions = zip(overflows, counters).map { overflow, counter in
      bus.subscribe(to: Number.self, on: place(overflow)) { _ in counter.count += 1 }
    }
    await onThreads(8) { _ in for value in 0..<cycles(5000) { bus.post(Number(value: value)) } }
    await bus.drain()
    for (counter, subscription) in zip(counters, subscriptions) {
      #expect(counter.count + subscription.dropped == 8 * cycles(5000))
    }
    #expect(subscriptions[3].dropped == 0)
  }

  @Test("Mailboxes on a stalled scheduler keep the number of retained events bounded", arguments: [1, 10])
  func boundedMemory(limit: Int) {
    let tally = Tally()
    let subscriptions = [Overflow.dropOldest(limit), .dropNewest(limit)].map { overflow in
      bus.subscribe(to: Loading.self, on: .scheduler(scheduler, limit: overflow)) { _ in }
    }
    let (serial, concurrent) = (HeldScheduler(), HeldScheduler(isSerial: false))
    for scheduler in [serial, concurrent] {
      bus.subscribe(to: Loading.self, on: .scheduler(scheduler, limit: .dropOldest(limit))) { _ in }.store(in: bag)
    }
    var most = 0
    for _ in 0..<10_000 {
      bus.post(Loading(load: Load(tally)))
      most = max(most, tally.living)
    }
    // A mailbox may retain dropped events until its next sweep: at most half of its entries, and sixteen.
    #expect(most <= 4 * limit + 3 * 16)
    #expect(subscriptions.map(\.dropped) == [10_000 - limit, 10_000 - limit])
    [scheduler, serial, concurrent].forEach { $0.runAll() }
    #expect(tally.living == 0)
  }

  @Test("A cancelled subscription releases its waiting events when its scheduler runs", arguments: [false, true])
  func cancelled(isTokenKept: Bool) {
    let tally = Tally()
    var subscriptions = [Overflow.dropOldest(5), .dropNewest(5), .unbounded].map { overflow in
      bus.subscribe(to: Loading.self, on: .scheduler(scheduler, limit: overflow)) { _ in
        Issue.record("A cancelled handler was called.")
      }
    }
    for _ in 0..<10 { bus.post(Loading(load: Load(tally))) }
    subscriptions.forEach { $0.cancel() }
    if !isTokenKept { subscriptions = [] }
    scheduler.runAll()
    #expect(tally.living == 0)
  }

  @Test("A dropped event may use the bus in its deinit") func lastWords() {
    let (bus, tally, record) = (bus, Tally(), Record<Int>())
    bus.subscribe(to: Number.self) { record.append($0.value) }.store(in: bag)
    let dropping = bus.subscribe(to: Loading.self, on: .scheduler(scheduler, limit: .dropOldest(1))) { _ in }
    bag.keep(bus.events(of: Loading.self, limit: .dropOldest(1)))
    for value in 0..<100 {
      bus.post(
        Loading(
          load: Load(tally) {
            bus.post(Number(value: value))
            bus.subscribe(to: Loading.self) { _ in }.cancel()
          }))
    }
    dropping.cancel()
    scheduler.runAll()
    #expect(record.values == Array(0..<99))
  }

  @Test("An event that leaves the replay or is forgotten may use the bus in its deinit") func lastWordsOfReplay() {
    let (bus, tally, record) = (bus, Tally(), Record<Int>())
    bus.subscribe(to: Number.self) { record.append($0.value) }.store(in: bag)
    @Sendable func load(_ value: Int) -> Load {
      Load(tally) {
        bus.post(Number(value: value))
        bus.subscribe(to: StickyLoading.self) { _ in }.cancel()
        bus.subscribe(to: KeyedLoading.self, key: 1) { _ in }.cancel()
      }
    }
    for value in 0..<3 { bus.post(StickyLoading(load: load(value))) }
    #expect(record.values == [0, 1])
    bus.forget(StickyLoading.self)
    #expect(record.values == [0, 1, 2])
    for value in 3..<5 { bus.post(KeyedLoading(key: 1, load: load(value))) }
    bus.post(KeyedLoading(key: 2, load: load(5)))
    bus.forget(KeyedLoading.self, key: 1)
    bus.forget(KeyedLoading.self)
    #expect(record.values == [0, 1, 2, 3, 4, 5])
    #expect(tally.living == 0)
  }
}
