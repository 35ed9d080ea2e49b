import EventBus
import TestMachine
import Testing

@Suite("A new subscriber catches up with a replay while other threads post", .serialized) struct CatchUpTests {
  let bus = EventBus()
  let bag = Bag()

  /// Keeps the processor busy for about this long, so that a handler is slower than a post.
  @Sendable static func work(_ duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
  }

  @Test("subscribe() returns while another thread posts continuously") func steadyPoster() async {
    let bus = bus
    let (hasBegun, hasPosted) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let hasReturned = Flag()
    let maximumPosts = 400_000
    let posts = Locked(0)
    bus.post(Sticky(value: 0))
    let poster = Elsewhere {
      var count = 0
      hasBegun.wait()
      while count < maximumPosts, !hasReturned.isSet {
        count += 1
        bus.post(Sticky(value: count))
        if count == 1 { hasPosted.open() }
      }
      posts.withLock { $0 = count }
    }
    let record = Record<Int>()
    let subscriber = Elsewhere {
      let subscription = bus.subscribe(to: Sticky.self) { event in
        if event.value == 0 {
          hasBegun.open()
          hasPosted.wait()
        }
        record.append(event.value)
        Self.work(.microseconds(3))
      }
      hasReturned.set()
      subscription.cancel()
    }
    await subscriber.end()
    await poster.end()
    #expect(posts.withLock { $0 } < maximumPosts)
    let values = record.values
    #expect(values == Array(values[0]..<(values[0] + values.count)))
  }

  @Test(
    "subscribe() returns while handlers on another thread post endlessly",
    arguments: [false, true])
  func endlessHandler(isLoop: Bool) async {
    let bus = bus
    let (hasBegun, hasPosted) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let hasReturned = Flag()
    let maximumPosts = 200_000
    let posts = Locked(0)
    bus.post(Sticky(value: 0))
    bus.subscribe(to: Number.self) { event in
      var next = event.value
      while next < maximumPosts, !hasReturned.isSet {
        next += 1
        bus.post(Sticky(value: next))
        if next == 1 { hasPosted.open() }
        if !isLoop { bus.post(Number(value: next)) }
        guard isLoop else { break }
      }
      posts.withLock { $0 = max($0, next) }
    }.store(in: bag)
    let poster = Elsewhere {
      hasBegun.wait()
      bus.post(Number(value: 0))
    }
    let record = Record<Int>()
    let subscriber = Elsewhere {
      let subscription = bus.subscribe(to: Sticky.self) { event in
        if event.value == 0 {
          hasBegun.open()
          hasPosted.wait()
        }
        record.append(event.value)
        if !hasReturned.isSet { Self.work(.microseconds(20)) }
      }
      hasReturned.set()
      subscription.cancel()
    }
    await subscriber.end()
    await poster.end()
    #expect(posts.withLock { $0 } < maximumPosts)
    let values = record.values
    #expect(values == Array(values[0]..<(values[0] + values.count)))
  }

  @Test("A post inside a handler does not wait for a subscriber that is catching up") func nestedPoster() async {
    let bus = bus
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let record = Record<Int>()
    let tokens = Record<Subscription>()
    bus.post(Sticky(value: 0))
    let subscriber = Elsewhere {
      tokens.append(
        bus.subscribe(to: Sticky.self) { event in
          if event.value == 0 {
            entered.open()
            door.wait()
          }
          record.append(event.value)
        })
    }
    await entered.passed()
    bus.subscribe(to: Number.self) { _ in
      for value in 1...1000 { bus.post(Sticky(value: value)) }
      door.open()
    }.store(in: bag)
    await Elsewhere { bus.post(Number(value: 0)) }.end()
    await subscriber.end()
    #expect(record.values == Array(0...1000))
  }

  @Test(
    "A poster that is far ahead of a new subscriber continues after the catch-up or its cancellation",
    arguments: [false, true])
  func aheadPoster(isCancelled: Bool) async {
    let bus = bus
    let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
    let tokens = Record<Subscription>()
    let (posted, received) = (Locked(0), Locked(0))
    bus.post(Sticky(value: 0))
    // Subscribe inside a handler, so that the token exists before the replay begins.
    bus.subscribe(to: Number.self) { _ in
      tokens.append(
        bus.subscribe(to: Sticky.self) { event in
          if event.value == 0 {
            entered.open()
            door.wait()
          }
          received.withLock { $0 += 1 }
        })
    }.store(in: bag)
    let subscriber = Elsewhere { bus.post(Number(value: 0)) }
    await entered.passed()
    let poster = Elsewhere {
      for value in 1...1000 {
        bus.post(Sticky(value: value))
        posted.withLock { $0 += 1 }
      }
    }
    if isCancelled { tokens.values.forEach { $0.cancel() } }
    door.open()
    await subscriber.end()
    await poster.end()
    #expect(posted.withLock { $0 } == 1000)
    #expect(isCancelled ? received.withLock { $0 } >= 1 : received.withLock { $0 } == 1001)
  }

  @Test("After cancel() returns, no call begins for an event that the cancelling thread has posted")
  func cancelIsFinal() async {
    let bus = bus
    let lateCalls = Record<Int>()
    for round in 0..<cycles(3000) {
      let isOver = Flag()
      let tokens = Record<Subscription>()
      let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
      bus.post(Sticky(value: -1))
      let subscribing = bus.subscribe(to: Number.self) { _ in
        tokens.append(
          bus.subscribe(to: Sticky.self) { event in
            if event.value == -1 {
              entered.open()
              door.wait()
            } else if isOver.isSet {
              lateCalls.append(round)
            }
          })
      }
      let subscriber = Elsewhere { bus.post(Number(value: 0)) }
      let canceller = Elsewhere {
        entered.wait()
        bus.post(Sticky(value: round))
        door.open()
        Self.work(.nanoseconds(round % 30 * 300))
        tokens.values.forEach { $0.cancel() }
        isOver.set()
      }
      await canceller.end()
      await subscriber.end()
      subscribing.cancel()
    }
    #expect(lateCalls.values.isEmpty)
  }
}
