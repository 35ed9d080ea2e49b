import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("A released bus ends its subscriptions and streams and leaves nothing behind") struct BusLifetimeTests {
  let bag = Bag()

  @Test("After a bus is released, its tokens are inactive and cancelling them does nothing") func tokens() {
    var bus: EventBus? = EventBus()
    let subscriptions = [
      bus!.subscribe(to: Number.self) { _ in },
      bus!.subscribe(to: Number.self, on: .main) { _ in },
      bus!.subscribe(to: Renamed.self, key: "a") { _ in },
      bus!.subscribe(to: Status.self, key: "a") { _ in },
    ]
    #expect(subscriptions.allSatisfy { $0.isActive })
    bus = nil
    #expect(!subscriptions.contains { $0.isActive })
    subscriptions.forEach { $0.cancel() }
  }

  @Test("A released bus delivers its queued events, and its tokens are inactive") func queued() {
    let scheduler = HeldScheduler()
    let record = Record<Int>()
    var bus: EventBus? = EventBus()
    let subscription = bus!.subscribe(to: Number.self, on: .scheduler(scheduler)) { record.append($0.value) }
    for value in 0..<3 { bus!.post(Number(value: value)) }
    bus = nil
    scheduler.runAll()
    #expect(record.values == [0, 1, 2])
    #expect(!subscription.isActive)
  }

  @Test("When a bus is released, its streams yield their buffered events and end") func streams() async {
    let runtime = ManualRuntime()
    let bus = Locked<EventBus?>(EventBus(runtime: runtime))
    let (held, waiting) = bus.withLock { ($0!.events(of: Number.self), $0!.events(of: Other.self)) }
    let ended = Record<String>()
    let reader = runtime.task {
      for await _ in waiting {}
      ended.append("ended")
    }
    runtime.runReady()
    for value in 0..<3 { _ = bus.withLock { $0?.post(Number(value: value)) } }
    #expect(ended.values.isEmpty)
    drop(bus)
    runtime.runReady()
    await reader.value
    #expect(ended.values == ["ended"])
    var values: [Int] = []
    for await event in held { values.append(event.value) }
    #expect(values == [0, 1, 2])
  }

  @Test("A delayed post does not retain the bus, and a released bus discards it") func delayedPost() {
    let runtime = ManualRuntime()
    let record = Record<Int>()
    var bus: EventBus? = EventBus(runtime: runtime)
    weak let gone = bus
    bus!.subscribe(to: Number.self) { record.append($0.value) }.store(in: bag)
    bus!.post(Number(value: 1), after: .seconds(1))
    bus = nil
    #expect(gone == nil)
    runtime.runAll()
    #expect(record.values.isEmpty)
  }

  @Test("A handler may release the last reference to its bus", arguments: [false, true])
  func droppedByHandler(queued: Bool) {
    let scheduler = HeldScheduler()
    let bus = Locked<EventBus?>(EventBus())
    let record = Record<Int>()
    let subscription = bus.withLock { $0! }.subscribe(to: Number.self, on: queued ? .scheduler(scheduler) : .posting) {
      record.append($0.value)
    }
    let dropping = bus.withLock { $0! }.subscribe(to: Number.self) { _ in drop(bus) }
    let accepted = bus.withLock { $0 }?.post(Number(value: 1))
    #expect(accepted == 2)
    scheduler.runAll()
    #expect(record.values == [1])
    #expect(!subscription.isActive && !dropping.isActive)
  }

  @Test("A released bus leaves no event, handler, or buffered item behind")
  func nothingIsLeft() {
    let tally = Tally()
    let (scheduler, concurrent) = (HeldScheduler(), HeldScheduler(isSerial: false))
    var kept: [Subscription] = []
    do {
      let bus = EventBus()
      weak let gone = bus
      let deliveries: [Delivery] = [.posting, .scheduler(scheduler), .scheduler(concurrent)]
      for delivery in deliveries {
        let load = Load(tally)
        kept.append(bus.subscribe(to: Loading.self, on: delivery) { [load] _ in load.use() })
        kept.append(bus.subscribe(to: StickyLoading.self, on: delivery) { [load] _ in load.use() })
        kept.append(bus.subscribe(to: KeyedLoading.self, on: delivery) { [load] _ in load.use() })
        kept.append(bus.subscribe(to: KeyedLoading.self, key: 1, on: delivery) { [load] _ in load.use() })
      }
      for overflow in [Overflow.dropOldest(1), .dropNewest(1)] {
        kept.append(bus.subscribe(to: Loading.self, on: .scheduler(scheduler, limit: overflow)) { _ in })
      }
      let streams = (
        bus.events(of: Loading.self), bus.events(of: KeyedLoading.self, key: 1), bus.events(of: StickyLoading.self)
      )
      for key in 0..<3 {
        bus.post(Loading(load: Load(tally)))
        bus.post(StickyLoading(load: Load(tally)))
        bus.post(KeyedLoading(key: key, load: Load(tally)))
      }
      #expect(tally.living > 0 && gone != nil)
      scheduler.runAll()
      concurrent.runAll()
      withExtendedLifetime(streams) {}
    }
    #expect(!kept.contains { $0.isActive })
    kept = []
    #expect(tally.living == 0)
  }

  @Test("A hundred released buses leave none of their replayed keyed events behind") func keyedReplay() {
    let tally = Tally()
    for _ in 0..<100 {
      let bus = EventBus()
      for key in 0..<10 { bus.post(KeyedLoading(key: key, load: Load(tally))) }
    }
    #expect(tally.living == 0)
  }
}

/// Releases the bus outside the lock before this function returns.
private func drop(_ bus: Locked<EventBus?>) {
  let last = bus.withLock { $0.take() }
  withExtendedLifetime(last) {}
}
