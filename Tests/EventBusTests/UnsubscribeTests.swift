import EventBus
import Synchronization
import TestMachine
import Testing

@Suite("Unsubscribe") struct UnsubscribeTests {
  let bus = EventBus()
  let bag = Bag()

  @Test("Cancelling stops, in every mode; twice is fine", arguments: DeliveryMode.allCases)
  func cancelStops(mode: DeliveryMode) async {
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self, on: mode.delivery) { record.append($0.value) }
    bus.post(Number(value: 1))
    await bus.drain()
    #expect(subscription.isActive)
    subscription.cancel()
    subscription.cancel()
    #expect(!subscription.isActive)
    #expect(bus.post(Number(value: 2)) == 0)
    await bus.drain()
    #expect(record.values == [1])
  }

  @Test("Dropping the token cancels") func droppedToken() {
    var subscription: Subscription? = bus.subscribe(to: Number.self) { _ in }
    #expect(bus.post(Number(value: 1)) == 1)
    withExtendedLifetime(subscription) {}
    subscription = nil
    #expect(bus.post(Number(value: 1)) == 0)
  }

  @Test("A set owns what is stored in it") func storing() {
    var owned = Set<Subscription>()
    bus.subscribe(to: Number.self) { _ in }.store(in: &owned)
    #expect(bus.post(Number(value: 1)) == 1)
    owned.removeAll()
    #expect(bus.post(Number(value: 1)) == 0)
  }

  @Test("An old token never hits the successor") func successor() {
    var old: Subscription? = bus.subscribe(to: Number.self) { _ in }
    old?.cancel()
    let successor = bus.subscribe(to: Number.self) { _ in }
    old?.cancel()
    old = nil
    #expect(successor.isActive)
    #expect(bus.post(Number(value: 1)) == 1)
  }

  @Test(
    "A handler can cancel itself, an earlier one and a later one",
    arguments: [false, true])
  func siblings(queued: Bool) {
    let scheduler = HeldScheduler()
    let bus = bus
    let record = Record<String>()
    let tokens = Locked<[Subscription]>([])
    let made = ["early", "self", "late"].map { name in
      bus.subscribe(to: Number.self, on: queued ? .scheduler(scheduler) : .posting) { event in
        record.append("\(name) \(event.value)")
        if name == "self" { tokens.withLock { $0 }.forEach { $0.cancel() } }
      }
    }
    tokens.withLock { $0 = made }
    bus.post(Number(value: 1))
    scheduler.runAll()
    #expect(bus.post(Number(value: 2)) == 0)
    scheduler.runAll()
    #expect(record.values == ["early 1", "self 1"])
    tokens.withLock { $0 = [] }
  }

  @Test("Who subscribes during a delivery sees the next event only") func subscribingMeanwhile() {
    let bus = bus
    let record = Record<Int>()
    let late = Record<Subscription>()
    bus.subscribe(to: Number.self) { event in
      if event.value == 1 { late.append(bus.subscribe(to: Number.self) { record.append($0.value) }) }
    }.store(in: bag)
    #expect(bus.post(Number(value: 1)) == 1)
    #expect(bus.post(Number(value: 2)) == 2)
    #expect(record.values == [2])
  }

  @Test("A cancel discards only that subscription's queued events") func queued() {
    let scheduler = HeldScheduler()
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { _ in Issue.record("It was called.") }
    bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { record.append($0.value) }.store(in: bag)
    for value in 0..<100 { bus.post(Number(value: value)) }
    subscription.cancel()
    scheduler.runAll()
    #expect(record.values == Array(0..<100))
  }

  @Test("A cancel on main is final on main while a thread posts") func finalOnMain() async {
    let bus = bus
    let main = DispatchRuntime.shared.main
    let stop = Atomic(false)
    let called = Record<Int>()
    let turn = DispatchRuntime.shared.gate()
    let poster = Elsewhere {
      while !stop.load(ordering: .relaxed) {
        turn.wait()
        for _ in 0..<200 { bus.post(Number(value: 1)) }
      }
    }
    let last = Locked<(Subscription, Flag)?>(nil)
    @Sendable func subscribe() -> (Subscription, Flag) {
      let isCancelled = Flag()
      let subscription = bus.subscribe(to: Number.self, on: .main) { _ in if isCancelled.isSet { called.append(1) } }
      return (subscription, isCancelled)
    }
    // Deliveries get their turn between the blocks; the last subscription of each block lives until the next.
    for _ in 0..<cycles(1000) {
      await withCheckedContinuation { continuation in
        main.schedule {
          turn.open()
          if let (subscription, isCancelled) = last.withLock({ $0 }) {
            subscription.cancel()
            isCancelled.set()
          }
          for _ in 0..<99 {
            let (subscription, isCancelled) = subscribe()
            subscription.cancel()
            isCancelled.set()
          }
          let subscribed = subscribe()
          last.withLock { $0 = subscribed }
          continuation.resume()
        }
      }
    }
    stop.store(true, ordering: .relaxed)
    turn.open()
    await poster.end()
    last.withLock { $0?.0.cancel() }
    await bus.drain()
    await settle(main)
    #expect(called.values.isEmpty)
  }

  @Test("A cancel on the posting thread is final while others post") func finalOnPoster() async {
    let bus = bus
    let stop = Atomic(false)
    let late = Atomic(0)
    let other = Elsewhere { while !stop.load(ordering: .relaxed) { bus.post(Number(value: -1)) } }
    await Elsewhere {
      for value in 0..<cycles(20_000) {
        let isCancelled = Flag()
        let subscription = bus.subscribe(to: Number.self) { event in
          if event.value == value, isCancelled.isSet { late.add(1, ordering: .relaxed) }
        }
        bus.post(Number(value: value))
        subscription.cancel()
        isCancelled.set()
        bus.post(Number(value: value))
      }
      stop.store(true, ordering: .relaxed)
    }.end()
    await other.end()
    #expect(late.load(ordering: .relaxed) == 0)
  }
}
