import Dispatch
import EventBus
import TestMachine
import Testing

@Suite("A mailbox yields its queue to other work", .serialized) struct FairnessTests {
  let bag = Bag()

  /// Queues on which an endless chain of posts competes with an unrelated block.
  static let queues: [DispatchQueue] = [
    DispatchQueue(label: "serial"), .main, DispatchQueue(label: "on main", target: .main),
    DispatchQueue(label: "on serial", target: DispatchQueue(label: "target")),
  ]

  @Test("A block on the same queue runs even while a handler posts events endlessly", arguments: 0..<4)
  func foreignBlock(queue: Int) async {
    let queue = Self.queues[queue]
    let bus = EventBus()
    let hasRun = Flag()
    let most = 5_000_000
    let count = Locked(0)
    bus.subscribe(to: Number.self, on: .queue(queue)) { event in
      count.withLock { $0 = event.value }
      guard event.value < most, !hasRun.isSet else { return }
      bus.post(Number(value: event.value + 1))
    }.store(in: bag)
    bus.post(Number(value: 0))
    await withCheckedContinuation { continuation in
      queue.async {
        hasRun.set()
        continuation.resume()
      }
    }
    await bus.drain()
    #expect(count.withLock { $0 } < most)
  }

  @Test("After a burst yields its queue, it continues in order and loses no event") func burst() async {
    let bus = EventBus()
    let queue = DispatchQueue(label: "burst")
    let record = Record<Int>()
    bus.subscribe(to: Number.self, on: .queue(queue)) { event in
      record.append(event.value)
      if event.value % 50 == 0 { CatchUpTests.work(.milliseconds(12)) }
    }.store(in: bag)
    for value in 0..<400 { bus.post(Number(value: value)) }
    await bus.drain()
    #expect(record.values == Array(0..<400))
  }

  @Test("A burst yields its queue soon after its handlers become slow") func suddenlySlow() async {
    let bus = EventBus()
    let queue = DispatchQueue(label: "suddenly slow")
    let short = 1000
    let (handled, handledBefore) = (Locked(0), Locked(0))
    bus.subscribe(to: Number.self, on: .queue(queue)) { event in
      handled.withLock { $0 += 1 }
      if event.value == short { queue.async { handledBefore.withLock { $0 = handled.withLock { $0 } } } }
      if event.value >= short { CatchUpTests.work(.milliseconds(8)) }
    }.store(in: bag)
    for value in 0..<short + 30 { bus.post(Number(value: value)) }
    await bus.drain()
    await settle(DispatchScheduler(queue, isSerial: true))
    #expect(handledBefore.withLock { $0 } <= short + 4)
  }
}
