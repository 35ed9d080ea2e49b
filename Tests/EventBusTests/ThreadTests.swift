import Dispatch
import EventBus
import Synchronization
import Testing

@Suite(.serialized) struct ThreadTests {
  let bus = EventBus()

  @Test func sixteenThreadsRegisterAtOnceAndAllAreHeard() {
    let bus = bus
    let kept = Record<Subscription>()
    let heard = Atomic(0)
    onThreads(16) { _ in
      for _ in 0..<100 { kept.append(bus.subscribe(to: Number.self) { _ in heard.add(1, ordering: .relaxed) }) }
    }
    #expect(bus.post(Number(value: 0)) == 1600)
    #expect(heard.load(ordering: .relaxed) == 1600)
  }

  @Test func fortyPostersOfTwoTypesAreCountedExactly() async {
    let bus = bus
    let lane = DispatchRuntime.shared.serial("count")
    let inline = Atomic(0)
    let queued = Atomic(0)
    let subscriptions = [
      bus.subscribe(to: Number.self) { _ in inline.add(1, ordering: .relaxed) },
      bus.subscribe(to: Other.self, on: .scheduler(lane)) { _ in queued.add(1, ordering: .relaxed) },
    ]
    onThreads(40) { poster in
      for value in 0..<200 {
        if poster.isMultiple(of: 2) { bus.post(Number(value: value)) } else { bus.post(Other(value: value)) }
      }
    }
    await settle(lane)
    await settle(lane)
    #expect(inline.load(ordering: .relaxed) == 4000)
    #expect(queued.load(ordering: .relaxed) == 4000)
    _ = subscriptions
  }

  @Test func everySurvivorOfAStormSawEveryEvent() {
    let bus = bus
    let survivors = (0..<4).map { _ in Record<Int>() }
    let kept = survivors.map { record in bus.subscribe(to: Number.self) { record.append($0.value) } }
    onThreads(8) { index in
      for value in 0..<500 {
        if index < 4 {
          bus.post(Number(value: index * 500 + value))
        } else {
          bus.subscribe(to: Number.self, priority: value % 3) { _ in }.cancel()
        }
      }
    }
    for record in survivors { #expect(record.values.sorted() == Array(0..<2000)) }
    _ = kept
  }

  @Test(arguments: [true, false])
  func aQueuedHandlerNeverRunsBesideItself(isSerial: Bool) async {
    final class Unprotected: @unchecked Sendable { var count = 0 }  // the test is that nothing need protect it
    let bus = bus
    let scheduler: any Scheduler =
      isSerial ? DispatchRuntime.shared.serial("serial") : DispatchRuntime.shared.workers
    let counter = Unprotected()
    await withCheckedContinuation { continuation in
      let subscription = bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { _ in
        counter.count += 1
        if counter.count == 8 * 1000 { continuation.resume() }
      }
      onThreads(8) { _ in for value in 0..<1000 { bus.post(Number(value: value)) } }
      kept.append(subscription)
    }
    #expect(counter.count == 8000)
  }

  private let kept = Record<Subscription>()

  @Test func postReturnsWhileTheTargetQueueIsHeldAndFromTheQueueItself() async {
    let bus = bus
    let queue = DispatchQueue(label: "held")
    let door = DispatchRuntime.shared.gate()
    let record = Record<Int>()
    let subscription = bus.subscribe(to: Number.self, on: .queue(queue)) { record.append($0.value) }
    queue.async { door.wait() }
    #expect(bus.post(Number(value: 1)) == 1)
    #expect(record.values.isEmpty)
    queue.async {
      bus.post(Number(value: 2))
      record.append(-1)
    }
    door.open()
    await settle(DispatchScheduler(queue, isSerial: true))
    await settle(DispatchScheduler(queue, isSerial: true))
    #expect(record.values == [1, -1, 2])
    _ = subscription
  }
}
