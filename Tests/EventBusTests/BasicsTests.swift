import EventBus
import Testing

@Suite struct BasicsTests {
  let bus = EventBus()

  @Test func anEventIsDeliveredOnceToEachSubscriber() {
    let record = Record<Int>()
    let first = bus.subscribe(to: Number.self) { record.append($0.value) }
    let second = bus.subscribe(to: Number.self) { record.append($0.value * 10) }
    #expect(bus.post(Number(value: 7)) == 2)
    #expect(record.values == [7, 70])
    _ = (first, second)
  }

  @Test func postingToNobodyReturnsZeroAndReportsTheEventOnce() {
    let unhandled = Record<Int>()
    let bus = EventBus(onUnhandled: { unhandled.append(($0 as! Number).value) })
    #expect(bus.post(Number(value: 3)) == 0)
    var subscription: Subscription? = bus.subscribe(to: Number.self) { _ in }
    #expect(bus.post(Number(value: 4)) == 1)
    subscription = nil
    bus.post(Number(value: 5))
    #expect(unhandled.values == [3, 5])
    _ = subscription
  }

  @Test func theHookForUnhandledEventsMayPostWithoutRecursion() {
    let calls = Record<Int>()
    let itself = Locked<EventBus?>(nil)
    let bus = EventBus(onUnhandled: { event in
      calls.append((event as! Number).value)
      itself.withLock { $0 }?.post(Number(value: 0))
    })
    itself.withLock { $0 = bus }
    bus.post(Number(value: 1))
    bus.post(Number(value: 2))
    #expect(calls.values == [1, 2])
    itself.withLock { $0 = nil }
  }

  @Test func twoBusesAreIsolated() {
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self) { record.append($0.value) }
    EventBus().post(Number(value: 1))
    #expect(record.values.isEmpty)
    _ = subscription
  }

  @Test func aTypeIsATopicAlsoWhenItIsGeneric() {
    let record = Record<String>()
    let subscriptions = [
      bus.subscribe(to: Number.self) { record.append("number \($0.value)") },
      bus.subscribe(to: Loaded<Int>.self) { record.append("int \($0.value)") },
      bus.subscribe(to: Loaded<String>.self) { record.append("string \($0.value)") },
    ]
    bus.post(Loaded(value: "a"))
    bus.post(Loaded(value: 1))
    bus.post(Other(value: 2))
    #expect(record.values == ["string a", "int 1"])
    _ = subscriptions
  }

  @Test func aKeyedEventReachesItsKeyAlsoThroughGenericsExistentialsAndDelay() async {
    func postGenerically<E: Event>(_ event: E) { bus.post(event) }
    let record = Record<String>()
    let arrived = DispatchRuntime.shared.serial("arrived")
    let subscriptions = [
      bus.subscribe(to: Renamed.self, key: "a") { record.append("a \($0.name)") },
      bus.subscribe(to: Renamed.self) { record.append("any \($0.name)") },
      bus.subscribe(to: Renamed.self, key: "b") { record.append("b \($0.name)") },
    ]
    postGenerically(Renamed(key: "a", name: "1"))
    let event: any Event = Renamed(key: "b", name: "2")
    bus.post(event)
    #expect(record.values == ["a 1", "any 1", "any 2", "b 2"])

    await withCheckedContinuation { continuation in
      let done = bus.subscribe(to: Renamed.self, key: "late", on: .scheduler(arrived)) { _ in continuation.resume() }
      bus.post(Renamed(key: "late", name: "3"), after: .milliseconds(1))
      kept.append(done)
    }
    _ = subscriptions
  }

  private let kept = Record<Subscription>()

  @Test func aCancelledDelayedPostIsNotMade() async {
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self) { record.append($0.value) }
    bus.post(Number(value: 1), after: .milliseconds(1)).cancel()
    await withCheckedContinuation { continuation in
      _ = DispatchRuntime.shared.workers.schedule(after: .milliseconds(20)) { continuation.resume() }
    }
    #expect(record.values.isEmpty)
    _ = subscription
  }

  @Test func theSubscriberCountFollowsSubscriptions() {
    #expect(bus.subscriberCount(for: Renamed.self) == 0)
    let first = bus.subscribe(to: Renamed.self) { _ in }
    let second = bus.subscribe(to: Renamed.self, key: "a") { _ in }
    #expect(bus.subscriberCount(for: Renamed.self) == 2)
    first.cancel()
    first.cancel()
    second.cancel()
    #expect(bus.subscriberCount(for: Renamed.self) == 0)
  }

  @Test func aThrowingHandlerSilencesNobodyAndIsReportedWithItsPlace() {
    struct Broken: Error {}
    let failures = Record<HandlerFailure>()
    let bus = EventBus(onFailure: { failures.append($0) })
    let record = Record<Int>()
    let line: UInt = #line + 1
    let throwing = bus.subscribe(to: Number.self) { _ in throw Broken() }
    let other = bus.subscribe(to: Number.self) { record.append($0.value) }
    bus.post(Number(value: 9))
    #expect(record.values == [9])
    #expect(failures.values.count == 1)
    #expect(failures.values.first?.error is Broken)
    #expect((failures.values.first?.event as? Number)?.value == 9)
    #expect(failures.values.first?.line == line)
    #expect(failures.values.first.map { "\($0.fileID)" }?.hasSuffix("BasicsTests.swift") == true)
    _ = (throwing, other)
  }
}
