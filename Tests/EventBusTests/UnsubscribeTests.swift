import EventBus
import Synchronization
import TestMachine
import Testing

@Suite("A cancelled subscription receives no more events") struct UnsubscribeTests {
  let bus = EventBus()
  let bag = Bag()

  @Test(
    "A cancelled subscription receives no more events in any delivery mode, and a second cancel does nothing",
    arguments: DeliveryMode.allCases)
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

  @Test("Releasing the token cancels the subscription") func droppedToken() {
    var subscription: Subscription? = bus.subscribe(to: Number.self) { _ in }
    #expect(bus.post(Number(value: 1)) == 1)
    withExtendedLifetime(subscription) {}
    subscription = nil
    #expect(bus.post(Number(value: 1)) == 0)
  }

  @Test("A subscription in a set stays active until the set releases it") func storing() {
    var owned = Set<Subscription>()
    bus.subscribe(to: Number.self) { _ in }.store(in: &owned)
    #expect(bus.post(Number(value: 1)) == 1)
    owned.removeAll()
    #expect(bus.post(Number(value: 1)) == 0)
  }

  @Test("Cancelling or releasing an old token does not affect a later subscription") func successor() {
    var old: Subscription? = bus.subscribe(to: Number.self) { _ in }
    old?.cancel()
    let successor = bus.subscribe(to: Number.self) { _ in }
    old?.cancel()
    old = nil
    #expect(successor.isActive)
    #expect(bus.post(Number(value: 1)) == 1)
  }

  @Test(
    "A handler can cancel itself, an earlier handler, and a later one",
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

  @Test("A subscriber that is added during a delivery receives later events, but not the current one")
  func subscribingMeanwhile() {
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

  @Test("Cancelling a subscription discards only its own queued events") func queued() {
    let scheduler = HeldScheduler()
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { _ in
      Issue.record("A cancelled handler was called.")
    }
    bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { record.append($0.value) }.store(in: bag)
    for value in 0..<100 { bus.post(Number(value: value)) }
    subscription.cancel()
    scheduler.runAll()
    #expect(record.values == Array(0..<100))
  }

  @Test("After a cancel on main, no call begins on main even while another thread posts") func finalOnMain() async {
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
    // Deliveries run between the blocks. The last subscription of each block stays until the next block.
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

  @Test(
    "After a cancel on the posting thread, no call begins for that thread's events, even while another thread posts")
  func finalOnPoster() async {
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
