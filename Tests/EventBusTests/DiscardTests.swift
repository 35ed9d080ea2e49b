import Dispatch
import EventBus
import TestMachine
import Testing
import VirtualTime

/// The bus loses no accepted event. A handler or a loop receives it, or the bus counts and traces it.
@Suite("The bus counts and traces every accepted event that it discards") struct DiscardTests {
  let bag = Bag()
  let trace = Record<TraceEvent>()
  let runtime = ManualRuntime()
  let scheduler = HeldScheduler()
  let bus: EventBus

  init() { bus = EventBus(runtime: runtime, trace: { [trace] in trace.append($0) }) }

  /// The values of the discarded numbers, in order.
  private var discarded: [Int?] { trace.values.filter { $0.kind == .discarded }.map { ($0.event as? Number)?.value } }

  @Test("A cancelled loop leaves its stream's waiting events for the next loop") func cancelledLoop() async {
    let (stream, record) = (bus.events(of: Number.self), Record<Int>())
    for value in 0..<5 { #expect(bus.post(Number(value: value)) == 1) }
    let first = runtime.task { for await event in stream { record.append(event.value) } }
    first.cancel()
    runtime.runReady()
    await first.value
    #expect(record.values.isEmpty)
    for await event in stream {
      record.append(event.value)
      if event.value == 4 { break }
    }
    #expect(record.values == [0, 1, 2, 3, 4])
    #expect(stream.dropped == 0)
  }

  @Test("A stream yields the events that follow a cancelled wait") func timedWaits() async {
    let (stream, record) = (bus.events(of: Number.self), Record<Int?>())
    for value in 0..<4 {
      let wait = runtime.task {
        for await event in stream { return record.append(event.value) }
        record.append(nil)
      }
      runtime.runReady()
      wait.cancel()
      runtime.runReady()
      await wait.value
      #expect(bus.post(Number(value: value)) == 1)
    }
    #expect(record.values == [nil, 0, 1, 2])
  }

  @Test(
    "A stream loses no event if a reader is cancelled while another task posts",
    arguments: [Overflow.unbounded, .dropOldest(3)])
  func cancelAmidPosts(overflow: Overflow) async {
    for _ in 0..<cycles(2000) {
      let bus = EventBus()
      let stream = bus.events(of: Number.self, limit: overflow)
      let first = Task { await Self.count(stream) }
      let poster = Task.detached {
        var accepted = 0
        for value in 0..<50 {
          accepted += bus.post(Number(value: value))
          if value % 7 == 0 { await Task.yield() }
        }
        return accepted
      }
      await Task.yield()
      first.cancel()
      let accepted = await poster.value
      var read = await first.value
      stream.close()
      read += await Self.count(stream)
      #expect(accepted == 50)
      #expect(accepted == read + stream.dropped)
    }
  }

  @Test("A loop that begins right after another is cancelled receives the next event") func loopAfterCancel() async {
    for _ in 0..<cycles(500) {
      let bus = EventBus()
      let stream = bus.events(of: Number.self)
      let read = Record<Int>()
      let first = Task { for await event in stream { read.append(event.value) } }
      while !stream.isAwaited { await Task.yield() }
      first.cancel()
      let second = Task { for await event in stream { return read.append(event.value) } }
      await first.value
      #expect(bus.post(Number(value: 1)) == 1)
      await second.value
      #expect(read.values == [1])
    }
  }

  @Test("A drain during a running burst counts each event that a cancel discards exactly once")
  func drainBesideBurst() async {
    for round in 0..<cycles(2000) {
      let bus = EventBus()
      let queue = DispatchQueue(label: "burst")
      let (one, two) = (Record<Int>(), Record<Int>())
      let kept = bus.subscribe(to: Number.self, on: .queue(queue)) { one.append($0.value) }
      let cancelled = bus.subscribe(to: Number.self, on: .queue(queue)) { two.append($0.value) }
      queue.suspend()
      for value in 0..<60 { #expect(bus.post(Number(value: value)) == 2) }
      cancelled.cancel()
      async let drained = bus.drain()
      for _ in 0..<round % 200 { await Task.yield() }
      queue.resume()
      _ = await drained
      #expect(one.values.count == 60)
      #expect(two.values.count + cancelled.dropped == 60)
      kept.cancel()
    }
  }

  @Test("Cancelled subscriptions do not retain the object in their key") func retainedKey() {
    let bus = EventBus()
    var object: Owned? = Owned()
    weak let released = object
    do {
      let key = OwningKey(object: object)
      let last = bus.subscribe(to: OwningEvent.self, key: key) { _ in }
      let early = (0..<2).map { _ in bus.subscribe(to: OwningEvent.self, key: key, priority: 5) { _ in } }
      for subscription in early + [last] { subscription.cancel() }
    }
    object = nil
    #expect(released == nil)
  }

  private static func count(_ stream: EventStream<Number>) async -> Int {
    var count = 0
    for await _ in stream { count += 1 }
    return count
  }

  @Test("A released stream traces each of its waiting events as discarded") func releasedStream() {
    do {
      let stream = bus.events(of: Number.self, limit: .dropOldest(3), name: "reader")
      for value in 0..<5 { bus.post(Number(value: value)) }
      stream.close()
      #expect(discarded.isEmpty)
    }
    #expect(discarded == [2, 3, 4])
    #expect(
      trace.values.suffix(3).allSatisfy { $0.name == "reader" && $0.subscription == trace.values[0].subscription })
  }

  @Test("A cancelled subscription counts and traces its waiting events", arguments: [true, false])
  func cancelledHandler(isSerial: Bool) {
    let scheduler = HeldScheduler(isSerial: isSerial)
    let record = Record<Int>()
    bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { record.append($0.value) }.store(in: bag)
    // A cancelled subscription stays in the list that the others use, but it has accepted no event.
    bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { _ in }.cancel()
    let overflows: [Overflow] = [.unbounded, .dropOldest(2), .dropNewest(2)]
    let cancelled = overflows.map { overflow in
      bus.subscribe(to: Number.self, on: .scheduler(scheduler, limit: overflow)) { _ in
        Issue.record("A cancelled handler was called.")
      }
    }
    #expect((0..<5).map { bus.post(Number(value: $0)) } == [4, 4, 3, 3, 3])
    cancelled.forEach { $0.cancel() }
    #expect(bus.post(Number(value: 5)) == 1)
    scheduler.runAll()
    #expect(record.values == Array(0..<6))
    #expect(cancelled.map(\.dropped) == [5, 5, 5])
    #expect(discarded.compactMap(\.self).sorted() == [0, 0, 1, 1, 2, 3, 3, 4, 4])
  }

  @Test("If all subscriptions of a burst are cancelled, each of them counts its events") func cancelledBurst() async {
    let first = bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { _ in }
    let second = bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { _ in }
    for value in 0..<200 { #expect(bus.post(Number(value: value)) == 2) }
    first.cancel()
    for value in 200..<210 { #expect(bus.post(Number(value: value)) == 1) }
    second.cancel()
    // The drain removes events that no handler will receive, although the scheduler is held.
    #expect(await bus.drain())
    #expect(first.dropped == 200 && second.dropped == 210)
    scheduler.runAll()
    #expect(first.dropped == 200 && second.dropped == 210)
    #expect(discarded.count == 410)
  }

  @Test("If subscriptions with limits are cancelled, a drain counts each of their waiting events once")
  func drainOfLimits() async {
    let limited = [Overflow.dropOldest(2), .dropNewest(2)].map { overflow in
      bus.subscribe(to: Number.self, on: .scheduler(scheduler, limit: overflow)) { _ in }
    }
    for value in 0..<5 { bus.post(Number(value: value)) }
    limited.forEach { $0.cancel() }
    #expect(await bus.drain())
    #expect(limited.map(\.dropped) == [5, 5])
    #expect(discarded.count == 4)
  }

  @Test(
    "A deferred event counts as dropped if its subscription is cancelled before the delivery", arguments: [false, true])
  func deferred(isKeyed: Bool) {
    let (bus, cancelled) = (bus, Locked<[Subscription]>([]))
    bus.subscribe(to: Renamed.self) { _ in }.cancel()
    bus.subscribe(to: Renamed.self) { event in
      if event.name != "first" { return }
      for name in ["second", "third"] { #expect(bus.post(Renamed(key: "a", name: name)) == 2) }
      cancelled.withLock { $0.forEach { $0.cancel() } }
      #expect(bus.post(Renamed(key: "a", name: "fourth")) == 1)
    }.store(in: bag)
    let later =
      isKeyed ? bus.subscribe(to: Renamed.self, key: "a") { _ in } : bus.subscribe(to: Renamed.self) { _ in }
    cancelled.withLock { $0 = [later] }
    #expect(bus.post(Renamed(key: "a", name: "first")) == 1)
    #expect(later.dropped == 2)
    #expect(trace.values.filter { $0.kind == .discarded }.map { ($0.event as? Renamed)?.name } == ["second", "third"])
  }

  @Test("A subscription that is cancelled during its replay counts the remaining events as dropped")
  func cancelledReplay() {
    for value in 0..<2 { bus.post(Recent(value: value)) }
    let (bus, itself) = (bus, Locked<Subscription?>(nil))
    let first = bus.subscribe(to: Recent.self, on: .scheduler(scheduler)) { _ in }
    first.cancel()
    scheduler.runAll()
    #expect(first.dropped == 2)
    // Subscribe inside a handler, so that the token exists before the replay begins.
    bus.subscribe(to: Number.self) { _ in
      itself.withLock { held in
        held = bus.subscribe(to: Recent.self) { event in
          if event.value == 0 { itself.withLock { $0 }?.cancel() }
        }
      }
      #expect(bus.post(Recent(value: 2)) == 1)
    }.store(in: bag)
    bus.post(Number(value: 0))
    #expect(itself.withLock { $0 }?.dropped == 2)
  }

  @Test("A subscription with `once` counts every accepted event after the first as dropped") func once() {
    let once = bus.subscribe(to: Number.self, on: .scheduler(scheduler), once: true) { _ in }
    for value in 0..<3 { #expect(bus.post(Number(value: value)) == 1) }
    scheduler.runAll()
    #expect(once.dropped == 2)
    #expect(discarded == [1, 2])
  }

  @Test("The bus traces delayed posts that a cancel or its own release discards") func delayedPosts() {
    let bus = Locked<EventBus?>(EventBus(runtime: runtime, trace: { [trace] in trace.append($0) }))
    let posts = bus.withLock { bus in
      (0..<4).map { bus!.post(Number(value: $0), after: .seconds($0), fileID: "Sample/File.swift", line: 42) }
    }
    runtime.advance(by: .zero)
    posts[2].cancel()
    bus.withLock { $0 = nil }
    runtime.runAll()
    #expect(trace.values.map { "\($0.kind)" } == ["posted", "unhandled", "discarded", "discarded"])
    #expect(discarded == [1, 3])
    #expect(
      trace.values.allSatisfy { "\($0.fileID)" == "Sample/File.swift" && $0.line == 42 && $0.subscription == nil })
  }

  @Test("Under concurrent posts and cancels, each accepted event is either handled or counted as dropped")
  func addsUp() async {
    for round in 0..<cycles(60) {
      let bus = EventBus()
      let (accepted, handled) = (Locked(0), Locked(0))
      let post = { @Sendable (value: Int) in
        let count = bus.post(Number(value: value))
        accepted.withLock { $0 += count }
      }
      let subscriptions = DeliveryMode.allCases.flatMap { mode in
        let place = mode.place
        let overflows: [Overflow] = mode == .posting ? [.unbounded] : [.unbounded, .dropOldest(1), .dropOldest(20)]
        return overflows.flatMap { overflow in
          (0..<3).map { number in
            bus.subscribe(to: Number.self, on: place(overflow)) { event in
              handled.withLock { $0 += 1 }
              // The bus defers a post inside a handler.
              if number == 0, event.value % 10 == 1 { post(0) }
            }
          }
        }
      }
      let canceller = Elsewhere {
        for number in subscriptions.indices where number % 3 != round % 3 { subscriptions[number].cancel() }
      }
      await onThreads(2) { _ in for value in 0..<100 { post(value) } }
      await canceller.end()
      await bus.drain()
      let dropped = subscriptions.reduce(0) { $0 + $1.dropped }
      #expect(accepted.withLock { $0 } == handled.withLock { $0 } + dropped)
    }
  }
}

private final class Owned: Sendable {}

private struct OwningKey: Hashable, Sendable {
  let object: Owned?
  static func == (one: Self, other: Self) -> Bool { one.object === other.object }
  func hash(into hasher: inout Hasher) { hasher.combine(object.map(ObjectIdentifier.init)) }
}

private struct OwningEvent: KeyedEvent {
  let key: OwningKey
}
