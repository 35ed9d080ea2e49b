import EventBus
import Synchronization
import Testing

@Suite struct UnsubscribeTests {
  let bus = EventBus()

  @Test func cancellingStopsTwiceIsFineAndSoIsAfterTheBusDied() {
    let record = Record<Int>()
    var bus: EventBus? = EventBus()
    let subscription = bus!.subscribe(to: Number.self) { record.append($0.value) }
    let other = bus!.subscribe(to: Number.self) { record.append($0.value) }
    subscription.cancel()
    subscription.cancel()
    bus!.post(Number(value: 1))
    #expect(record.values == [1])
    #expect(!subscription.isActive && other.isActive)
    bus = nil
    other.cancel()
  }

  @Test func droppingTheTokenCancelsAndReleasesWhatTheHandlerCaptured() {
    final class Captured: Sendable {}
    weak var released: Captured?
    do {
      let captured = Captured()
      released = captured
      let subscription = bus.subscribe(to: Number.self) { [captured] _ in _ = captured }
      #expect(subscription.isActive)
    }
    #expect(released == nil)
    #expect(bus.post(Number(value: 1)) == 0)
  }

  @Test func aSetOwnsWhatIsStoredInIt() {
    var owned = Set<Subscription>()
    bus.subscribe(to: Number.self) { _ in }.store(in: &owned)
    #expect(bus.post(Number(value: 1)) == 1)
    owned.removeAll()
    #expect(bus.post(Number(value: 1)) == 0)
  }

  @Test func aHandlerMayCancelItselfAnEarlierAndALaterOne() {
    let bus = bus
    let record = Record<String>()
    let tokens = Locked<[Subscription]>([])
    let made = ["early", "self", "late"].map { name in
      bus.subscribe(to: Number.self) { event in
        record.append("\(name) \(event.value)")
        if name == "self" { tokens.withLock { $0 }.forEach { $0.cancel() } }
      }
    }
    tokens.withLock { $0 = made }
    bus.post(Number(value: 1))
    bus.post(Number(value: 2))
    #expect(record.values == ["early 1", "self 1"])
    tokens.withLock { $0 = [] }
  }

  @Test func whoSubscribesDuringADeliverySeesTheNextEventOnly() {
    let bus = bus
    let record = Record<Int>()
    let late = Locked<Subscription?>(nil)
    let subscription = bus.subscribe(to: Number.self) { event in
      if event.value == 1 { late.withLock { $0 = bus.subscribe(to: Number.self) { record.append($0.value) } } }
    }
    bus.post(Number(value: 1))
    bus.post(Number(value: 2))
    #expect(record.values == [2])
    _ = subscription
  }

  @Test func queuedEventsDieWithTheSubscription() {
    let lane = HeldScheduler()
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self, on: .scheduler(lane)) { record.append($0.value) }
    for value in 0..<100 { bus.post(Number(value: value)) }
    subscription.cancel()
    lane.runAll()
    #expect(record.values.isEmpty)
  }

  @Test func cancellingOnTheLaneIsFinalOnTheLaneAgainstAPostingThread() async {
    let bus = bus
    let lane = DispatchRuntime.shared.serial("final")
    let stop = Atomic(false)
    let late = Atomic(0)
    await withCheckedContinuation { continuation in
      DispatchRuntime.shared.serial("poster").schedule {
        while !stop.load(ordering: .relaxed) { bus.post(Number(value: 1)) }
        continuation.resume()
      }
      DispatchRuntime.shared.serial("driver").schedule {
        let turn = DispatchRuntime.shared.gate()
        for _ in 0..<2_000 {
          lane.schedule {
            let flag = Flag()
            let subscription = bus.subscribe(to: Number.self, on: .scheduler(lane)) { _ in
              if flag.isSet { late.add(1, ordering: .relaxed) }
            }
            lane.schedule {
              subscription.cancel()
              flag.set()
              turn.open()
            }
          }
          turn.wait()
        }
        stop.store(true, ordering: .relaxed)
      }
    }
    await settle(lane)
    #expect(late.load(ordering: .relaxed) == 0)
  }

  @Test func theSubscriptionEndsWithItsOwner() {
    final class Owner: Sendable {}
    let record = Record<Int>()
    var owner: Owner? = Owner()
    let subscription = bus.subscribe(owner!, to: Number.self) { _, event in record.append(event.value) }
    bus.post(Number(value: 1))
    owner = nil
    bus.post(Number(value: 2))
    #expect(record.values == [1])
    #expect(!subscription.isActive)
    #expect(bus.subscriberCount(for: Number.self) == 0)
  }

  @Test func whatAHandlerCapturedMayUseTheBusWhileItDies() {
    final class Talkative: Sendable {
      let bus: EventBus
      init(_ bus: EventBus) { self.bus = bus }
      deinit {
        bus.post(Other(value: 1))
        bus.subscribe(to: Number.self) { _ in }.cancel()
      }
    }
    let record = Record<Int>()
    let other = bus.subscribe(to: Other.self) { record.append($0.value) }
    let talkative = bus.subscribe(to: Number.self) { [talkative = Talkative(bus)] _ in _ = talkative }
    talkative.cancel()
    #expect(record.values == [1])
    _ = other
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
