import Dispatch
import EventBus
import TestMachine
import Testing

@Suite("The bus calls handlers by priority, then by registration, in posting order") struct OrderTests {
  let bus = EventBus()
  let bag = Bag()

  @Test(
    "Subscribers with random priorities are called in order after any sequence of subscriptions and cancels",
    arguments: [false, true])
  func randomPriorities(isQueued: Bool) {
    let (bus, scheduler, record) = (EventBus(), HeldScheduler(), Record<Int>())
    var numbers = SystemRandomNumberGenerator()
    var expected: [(priority: Int, number: Int, isKeyed: Bool, token: Subscription)] = []
    for number in 0..<600 {
      let priority = Int.random(in: -50...50, using: &numbers)
      let delivery = isQueued ? Delivery.scheduler(scheduler) : .posting
      let isKeyed = number.isMultiple(of: 3)
      let token =
        isKeyed
        ? bus.subscribe(to: Renamed.self, key: "a", on: delivery, priority: priority) { _ in record.append(number) }
        : bus.subscribe(to: Renamed.self, on: delivery, priority: priority) { _ in record.append(number) }
      expected.append((priority, number, isKeyed, token))
      if number % 4 == 1 { expected.remove(at: .random(in: expected.indices, using: &numbers)).token.cancel() }
      guard number % 25 == 0 else { continue }
      for key in ["a", "b"] {
        let called = expected.filter { !$0.isKeyed || key == "a" }.sorted {
          ($0.priority, $1.number) > ($1.priority, $0.number)
        }
        #expect(bus.post(Renamed(key: key)) == called.count)
        scheduler.runAll()
        #expect(record.values == called.map(\.number))
        record.removeAll()
      }
    }
    expected.forEach { $0.token.cancel() }
    #expect(bus.subscriberCount(for: Renamed.self) == 0)
    #expect(bus.post(Renamed(key: "a")) == 0)
  }

  @Test("Subscribers are called by priority, then by registration", arguments: [false, true])
  func priorities(queued: Bool) {
    let scheduler = HeldScheduler()
    let record = Record<Int>()
    for (index, priority) in [1, -1, 0, 10, -100, 0].enumerated() {
      bus.subscribe(to: Number.self, on: queued ? .scheduler(scheduler) : .posting, priority: priority) { _ in
        record.append(priority * 10 + index)
      }.store(in: bag)
    }
    bus.post(Number(value: 0))
    scheduler.runAll()
    #expect(record.values == [103, 10, 2, 5, -9, -996])
  }

  @Test("Subscribers are called in priority order after their replay", arguments: [false, true])
  func prioritiesOfReplayed(queued: Bool) {
    let scheduler = HeldScheduler()
    let record = Record<Int>()
    bus.post(Sticky(value: 1))
    for priority in [1, -1, 0, 10, -100] {
      bus.subscribe(to: Sticky.self, on: queued ? .scheduler(scheduler) : .posting, priority: priority) { event in
        record.append(priority * event.value)
      }.store(in: bag)
    }
    scheduler.runAll()
    #expect(record.values.sorted() == [-100, -1, 0, 1, 10])
    record.removeAll()
    bus.post(Sticky(value: 2))
    scheduler.runAll()
    #expect(record.values == [20, 2, 0, -2, -200])
  }

  @Test(
    "After random cancels, subscribers of equal priority are still called in registration order",
    arguments: [false, true])
  func removals(queued: Bool) {
    let scheduler = HeldScheduler()
    let record = Record<Int>()
    var subscriptions = (0..<100).map { index in
      (
        index,
        bus.subscribe(to: Number.self, on: queued ? .scheduler(scheduler) : .posting) { _ in record.append(index) }
      )
    }
    for left in [100, 60, 30, 10, 1] {
      while subscriptions.count > left { subscriptions.remove(at: Int.random(in: subscriptions.indices)) }
      record.removeAll()
      bus.post(Number(value: 0))
      scheduler.runAll()
      #expect(record.values == subscriptions.map(\.0))
    }
  }

  @Test(
    "Subscribers with and without a key are called in one order, by priority and registration",
    arguments: [false, true])
  func merging(queued: Bool) {
    let scheduler = HeldScheduler()
    let delivery = queued ? Delivery.scheduler(scheduler) : .posting
    let record = Record<Int>()
    bus.subscribe(to: Renamed.self, key: "a", on: delivery) { _ in record.append(0) }.store(in: bag)
    bus.subscribe(to: Renamed.self, on: delivery) { _ in record.append(1) }.store(in: bag)
    bus.subscribe(to: Renamed.self, key: "a", on: delivery, priority: 5) { _ in record.append(2) }.store(in: bag)
    bus.subscribe(to: Renamed.self, on: delivery, priority: 5) { _ in record.append(3) }.store(in: bag)
    bus.subscribe(to: Renamed.self, key: "b", on: delivery) { _ in record.append(4) }.store(in: bag)
    bus.subscribe(to: Renamed.self, key: "a", on: delivery) { _ in record.append(5) }.store(in: bag)
    #expect(bus.post(Renamed(key: "a")) == 5)
    scheduler.runAll()
    #expect(record.values == [2, 3, 0, 1, 5])
  }

  @Test("Subscriptions on one serial scheduler share a mailbox, which needs one wake-up per burst") func oneQueue() {
    let scheduler = HeldScheduler()
    let record = Record<String>()
    bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { record.append("A\($0.value)") }.store(in: bag)
    bus.subscribe(to: Other.self, on: .scheduler(scheduler)) { record.append("C\($0.value)") }.store(in: bag)
    bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { record.append("B\($0.value)") }.store(in: bag)
    bus.post(Number(value: 1))
    bus.post(Other(value: 2))
    bus.post(Number(value: 3))
    #expect(scheduler.wakeUps == 1)
    scheduler.runAll()
    #expect(record.values == ["A1", "B1", "C2", "A3", "B3"])
  }

  @Test("Deliveries that name the same queue in different ways share one mailbox", arguments: [true, false])
  func oneMailboxPerQueue(isMain: Bool) async {
    let queue = isMain ? DispatchQueue.main : DispatchQueue(label: "named twice")
    let record = Record<String>()
    let door = DispatchRuntime.shared.gate()
    let deliveries: [Delivery] = [
      isMain ? .main : .queue(queue), .queue(queue), .scheduler(DispatchScheduler(queue, isSerial: true)),
    ]
    for (index, delivery) in deliveries.enumerated() {
      bus.subscribe(to: Number.self, on: delivery) { record.append("\($0.value) at \(index)") }.store(in: bag)
    }
    let isHeld = DispatchRuntime.shared.gate()
    queue.async {
      isHeld.open()
      door.wait()
    }
    await isHeld.passed()
    bus.post(Number(value: 1))
    bus.post(Number(value: 2))
    door.open()
    await bus.drain()
    #expect(record.values == ["1 at 0", "1 at 1", "1 at 2", "2 at 0", "2 at 1", "2 at 2"])
  }

  @Test(
    "In every delivery mode, the events from each thread arrive in its posting order", arguments: DeliveryMode.allCases)
  func postersOrder(mode: DeliveryMode) async {
    let bus = bus
    let records = (0..<4).map { _ in Record<Int>() }
    bus.subscribe(to: Number.self, on: mode.delivery) {
      records[$0.value / 1000].append($0.value % 1000)
    }.store(in: bag)
    await onThreads(4) { poster in
      for number in 0..<1000 { bus.post(Number(value: poster * 1000 + number)) }
    }
    await bus.drain()
    for record in records { #expect(record.values == Array(0..<1000)) }
  }

  @Test("Three queued subscribers receive the events from four threads in the same order") func oneSequence() async {
    let bus = bus
    let records = (0..<3).map { _ in Record<Int>() }
    for (mode, record) in zip([DeliveryMode.queue, .serial, .concurrent], records) {
      bus.subscribe(to: Number.self, on: mode.delivery) { record.append($0.value) }.store(in: bag)
    }
    await onThreads(4) { poster in
      for number in 0..<1000 { bus.post(Number(value: poster * 1000 + number)) }
    }
    await bus.drain()
    #expect(records[0].values.count == 4000)
    #expect(records[0].values == records[1].values)
    #expect(records[0].values == records[2].values)
  }

  @Test("A post on main does not overtake an earlier post from another thread")
  func mainDoesNotOvertake() async {
    let bus = bus
    let record = Record<Int>()
    let main = DispatchRuntime.shared.main
    bus.subscribe(to: Number.self, on: .main) { record.append($0.value) }.store(in: bag)
    for round in 0..<100 {
      bus.post(Number(value: round * 2))
      await withCheckedContinuation { continuation in
        main.schedule {
          bus.post(Number(value: round * 2 + 1))
          continuation.resume()
        }
      }
    }
    await bus.drain()
    #expect(record.values == Array(0..<200))
  }

  @Test("Delivery on main yields to other work after ten milliseconds and then resumes") func mainBudget() {
    let runtime = WatchedRuntime()
    let bus = EventBus(runtime: runtime)
    let record = Record<Int>()
    bus.subscribe(to: Number.self, on: .main) { event in
      record.append(event.value)
      runtime.time.withLock { $0 += .milliseconds(6) }
    }.store(in: bag)
    for value in 0..<5 { bus.post(Number(value: value)) }
    runtime.held.schedule { record.append(-1) }
    runtime.held.runAll()
    #expect(record.values == [0, 1, -1, 2, 3, 4])
  }
}
