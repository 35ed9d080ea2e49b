import EventBus
import Testing

@Suite struct OrderTests {
  let bus = EventBus()

  @Test(arguments: [false, true])
  func subscribersAreCalledByPriorityThenInOrderOfRegistration(queued: Bool) {
    let lane = HeldScheduler()
    let record = Record<Int>()
    let subscriptions = [1, -1, 0, 10, -100, 0].enumerated().map { index, priority in
      bus.subscribe(to: Number.self, on: queued ? .scheduler(lane) : .posting, priority: priority) { _ in
        record.append(priority * 10 + index)
      }
    }
    bus.post(Number(value: 0))
    lane.runAll()
    #expect(record.values == [103, 10, 2, 5, -9, -996])
    _ = subscriptions
  }

  @Test func equalPriorityKeepsRegistrationOrderAfterRandomRemovals() {
    var generator = SystemRandomNumberGenerator()
    let record = Record<Int>()
    var subscriptions = (0..<100).map { index in
      (index, bus.subscribe(to: Number.self) { _ in record.append(index) })
    }
    for _ in 0..<40 { subscriptions.remove(at: Int.random(in: subscriptions.indices, using: &generator)) }
    bus.post(Number(value: 0))
    #expect(record.values == subscriptions.map(\.0))
  }

  @Test func keyedAndUnkeyedSubscribersMergeByTheSameRule() {
    let record = Record<Int>()
    let subscriptions = [
      bus.subscribe(to: Renamed.self, key: "a") { _ in record.append(0) },
      bus.subscribe(to: Renamed.self) { _ in record.append(1) },
      bus.subscribe(to: Renamed.self, key: "a", priority: 5) { _ in record.append(2) },
      bus.subscribe(to: Renamed.self, priority: 5) { _ in record.append(3) },
      bus.subscribe(to: Renamed.self, key: "b") { _ in record.append(4) },
      bus.subscribe(to: Renamed.self, key: "a") { _ in record.append(5) },
    ]
    bus.post(Renamed(key: "a"))
    #expect(record.values == [2, 3, 0, 1, 5])
    _ = subscriptions
  }

  @Test func aPostInsideAHandlerIsDeliveredAfterTheCurrentEvent() {
    let record = Record<String>()
    let bus = bus
    let subscriptions = [
      bus.subscribe(to: Number.self) { event in
        record.append("first \(event.value)")
        if event.value == 0 {
          #expect(bus.post(Number(value: 1)) == 2)
          record.append("posted")
        }
      },
      bus.subscribe(to: Number.self) { record.append("second \($0.value)") },
    ]
    bus.post(Number(value: 0))
    #expect(record.values == ["first 0", "posted", "second 0", "first 1", "second 1"])
    _ = subscriptions
  }

  @Test func aChainOfAHundredThousandPostsNeedsConstantStack() {
    let bus = bus
    let last = Locked(0)
    let subscription = bus.subscribe(to: Number.self) { event in
      last.withLock { $0 = event.value }
      if event.value < 100_000 { bus.post(Number(value: event.value + 1)) }
    }
    bus.post(Number(value: 0))
    #expect(last.withLock { $0 } == 100_000)
    _ = subscription
  }

  @Test func aSerialSchedulerIsOneLaneAcrossSubscribersAndTypes() {
    let lane = HeldScheduler()
    let record = Record<String>()
    let subscriptions = [
      bus.subscribe(to: Number.self, on: .scheduler(lane)) { record.append("A\($0.value)") },
      bus.subscribe(to: Other.self, on: .scheduler(lane)) { record.append("C\($0.value)") },
      bus.subscribe(to: Number.self, on: .scheduler(lane)) { record.append("B\($0.value)") },
    ]
    bus.post(Number(value: 1))
    bus.post(Other(value: 2))
    bus.post(Number(value: 3))
    #expect(lane.wakeUps == 1)
    lane.runAll()
    #expect(record.values == ["A1", "B1", "C2", "A3", "B3"])
    _ = subscriptions
  }

  @Test func fourPostersGiveThreeQueuedSubscribersOneSequence() async {
    let bus = bus
    let lanes = (0..<3).map { DispatchRuntime.shared.serial("lane \($0)") }
    let records = (0..<3).map { _ in Record<Int>() }
    let subscriptions = zip(lanes, records).map { lane, record in
      bus.subscribe(to: Number.self, on: .scheduler(lane)) { record.append($0.value) }
    }
    onThreads(4) { poster in
      for number in 0..<1000 { bus.post(Number(value: poster * 1000 + number)) }
    }
    for lane in lanes {
      await settle(lane)
      await settle(lane)
    }
    #expect(records[0].values.count == 4000)
    #expect(records[0].values == records[1].values)
    #expect(records[0].values == records[2].values)
    for poster in 0..<4 {
      let own = records[0].values.filter { $0 / 1000 == poster }
      #expect(own == own.sorted())
    }
    _ = subscriptions
  }
}
