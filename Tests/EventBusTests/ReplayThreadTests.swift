import EventBus
import Synchronization
import TestMachine
import Testing

@Suite("A replay and live events form one sequence while other threads post") struct ReplayThreadTests {
  let bus = EventBus()
  let bag = Bag()

  @Test(
    "A subscriber that joins while events are posted receives a suffix of them without gaps",
    arguments: DeliveryMode.allCases)
  func contiguousSuffix(mode: DeliveryMode) async {
    let bus = bus
    let count = cycles(20_000)
    let records = Locked<[(Record<Int>, Subscription)]>([])
    let began = DispatchRuntime.shared.gate()
    let poster = Elsewhere {
      bus.post(Recent(value: 1))
      began.open()
      for value in 2...count { bus.post(Recent(value: value)) }
    }
    await began.passed()
    await onThreads(2) { _ in
      for _ in 0..<10 {
        let record = Record<Int>()
        let subscription = bus.subscribe(to: Recent.self, on: mode.delivery) { record.append($0.value) }
        records.withLock { $0.append((record, subscription)) }
      }
    }
    await poster.end()
    await bus.drain()
    for (record, _) in records.withLock({ $0 }) {
      let values = record.values
      #expect(values.last == count)
      #expect(values.count >= 2 || count == 1)
      #expect(values == Array((count - values.count + 1)...count))
    }
  }

  @Test("A stream or subscriber with a key that joins during posts receives a suffix without gaps")
  func contiguousSuffixOfAKey() async {
    let bus = bus
    let count = cycles(5000)
    let began = DispatchRuntime.shared.gate()
    let poster = Elsewhere {
      for value in 1...count {
        bus.post(Status(key: "a", value: value))
        bus.post(Status(key: "b", value: value))
        if value == 1 { began.open() }
      }
    }
    await began.passed()
    let stream = bus.events(of: Status.self, key: "a", limit: .unbounded)
    let record = Record<Int>()
    bus.subscribe(to: Status.self, key: "b") { record.append($0.value) }.store(in: bag)
    await poster.end()
    var values: [Int] = []
    for await event in stream {
      values.append(event.value)
      if event.value == count { break }
    }
    #expect(values == Array((count - values.count + 1)...count))
    #expect(record.values == Array((count - record.values.count + 1)...count))
  }

  @Test("A replay may wait for a lock that a posting thread holds, and it then delivers that thread's events")
  func waitsForALock() async {
    let bus = bus
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let record = Record<String>()
    bus.post(Sticky(value: 0))
    let subscriber = DispatchRuntime.shared.serial("subscriber")
    let kept = Record<Subscription>()
    subscriber.schedule {
      kept.append(
        bus.subscribe(to: Sticky.self) { event in
          record.append("\(event.value) \(subscriber.isCurrent ? "here" : "at the poster")")
          if event.value == 0 {
            entered.open()
            door.wait()
          }
        })
      record.append("subscribed")
    }
    await entered.passed()
    // The handler waits until the posting thread opens the door, so the thread's posts must return first.
    #expect(bus.post(Sticky(value: 1)) == 1)
    #expect(bus.post(Sticky(value: 2)) == 1)
    door.open()
    await settle(subscriber)
    bus.post(Sticky(value: 3))
    #expect(record.values == ["0 here", "1 here", "2 here", "subscribed", "3 at the poster"])
  }

  @Test("A cancel during a replay stops the replay and releases its remaining events")
  func cancelledMeanwhile() async {
    let (bus, tally) = (bus, Tally())
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let (calls, tokens) = (Record<Int>(), Record<Subscription>())
    bus.post(StickyLoading(load: Load(tally)))
    // Subscribe inside a handler, so that the token exists before the replay begins.
    bus.subscribe(to: Number.self) { _ in
      tokens.append(
        bus.subscribe(to: StickyLoading.self) { _ in
          calls.append(1)
          entered.open()
          door.wait()
        })
    }.store(in: bag)
    let thread = Elsewhere { bus.post(Number(value: 0)) }
    await entered.passed()
    for _ in 0..<5 { #expect(bus.post(StickyLoading(load: Load(tally))) == 1) }
    tokens.values.forEach { $0.cancel() }
    #expect(bus.post(StickyLoading(load: Load(tally))) == 0)
    door.open()
    await thread.end()
    await bus.drain()
    #expect(calls.values.count == 1)
    #expect(tally.living == 1)
  }
}
