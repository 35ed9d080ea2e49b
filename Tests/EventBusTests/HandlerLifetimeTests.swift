import EventBus
import TestMachine
import Testing

@Suite("A cancelled subscription releases the captures of its handler", .childProcesses) struct HandlerLifetimeTests {
  let bus = EventBus()
  let bag = Bag()
  let tally = Tally()

  @Test(
    "If no delivery is in flight, cancel() releases the handler's captures before it returns",
    arguments: DeliveryMode.allCases)
  func nothingInFlight(mode: DeliveryMode) async {
    var load: Load? = Load(tally)
    let subscription = bus.subscribe(to: Number.self, on: mode.delivery) { [load] _ in load?.use() }
    bus.post(Number(value: 1))
    await bus.drain()
    load = nil
    #expect(tally.living == 1)
    subscription.cancel()
    #expect(tally.living == 0)
  }

  @Test("If deliveries are in flight, the last of them releases the captures of a cancelled handler")
  func inFlight() async {
    let (bus, tally) = (bus, tally)
    let entered = DispatchRuntime.shared.gate()
    let doors = (0..<2).map { _ in DispatchRuntime.shared.gate() }
    bus.subscribe(to: Number.self) { event in
      entered.open()
      doors[event.value].wait()
    }.store(in: bag)
    let subscription = bus.subscribe(to: Number.self) { [load = Load(tally)] _ in load.use() }
    let posters = (0..<2).map { value in Elsewhere { bus.post(Number(value: value)) } }
    for _ in posters { await entered.passed() }
    subscription.cancel()
    #expect(tally.living == 1)
    doors[0].open()
    await posters[0].end()
    #expect(tally.living == 1)
    doors[1].open()
    await posters[1].end()
    #expect(tally.living == 0)
  }

  @Test("Overlapping deliveries that began after a cancel do not delay the release of the captures")
  func steadyDeliveries() async {
    let (bus, tally) = (bus, tally)
    let entered = DispatchRuntime.shared.gate()
    let doors = (0..<4).map { _ in DispatchRuntime.shared.gate() }
    bus.subscribe(to: Number.self) { event in
      entered.open()
      doors[event.value].wait()
    }.store(in: bag)
    var posters: [Elsewhere] = []
    // Each delivery ends only after the next has begun, so that a delivery is always in flight.
    for value in 0..<4 {
      posters.append(Elsewhere { bus.post(Number(value: value)) })
      await entered.passed()
      if value == 0 {
        bus.subscribe(to: Number.self) { [load = Load(tally)] _ in load.use() }.cancel()
      }
      if value > 0 {
        doors[value - 1].open()
        await posters[value - 1].end()
      }
    }
    #expect(tally.living == 0)
    doors[3].open()
    await posters[3].end()
  }

  @Test("An object that a handler captures may use the bus in its deinit", arguments: DeliveryMode.allCases)
  func lastWords(mode: DeliveryMode) async {
    let (bus, tally) = (bus, tally)
    let record = Record<Int>()
    bus.subscribe(to: Number.self, on: mode.delivery) { record.append($0.value) }.store(in: bag)
    bus.subscribe(to: Sticky.self) { record.append($0.value) }.store(in: bag)
    let other = bus.subscribe(to: Number.self) { _ in }
    var talkative: Load? = Load(tally) {
      bus.post(Number(value: 1))
      bus.post(Sticky(value: 2))
      bus.subscribe(to: Number.self, on: mode.delivery) { _ in }.cancel()
      other.cancel()
    }
    let subscription = bus.subscribe(to: Number.self, on: mode.delivery) { [talkative] _ in talkative?.use() }
    talkative = nil
    subscription.cancel()
    await bus.drain()
    #expect(tally.living == 0)
    #expect(record.values.sorted() == [1, 2])
    #expect(!other.isActive)
  }

  @Test(
    "A handler that cancels itself releases its captures", arguments: DeliveryMode.allCases)
  func lastWordsInHandler(mode: DeliveryMode) async {
    let (bus, tally) = (bus, tally)
    let record = Record<Int>()
    let itself = Locked<Subscription?>(nil)
    bus.subscribe(to: Number.self, on: mode.delivery) { record.append($0.value) }.store(in: bag)
    let subscription = bus.subscribe(
      to: Number.self, on: mode.delivery
    ) { [load = Load(tally, lastWords: { bus.post(Number(value: 2)) })] _ in
      load.use()
      itself.withLock { $0 }?.cancel()
    }
    itself.withLock { $0 = subscription }
    bus.post(Number(value: 1))
    await bus.drain()
    #expect(tally.living == 0)
    #expect(record.values == [1, 2])
    itself.withLock { $0 = nil }
  }

  @Test(
    "A subscription whose token is stored in its subscriber ends when the subscriber is released",
    arguments: DeliveryMode.allCases)
  func storedToken(mode: DeliveryMode) async {
    let record = Record<Int>()
    var page: Page? = Page(tally, bus, mode.delivery) { record.append($0) }
    bus.post(Number(value: 1))
    await bus.drain()
    withExtendedLifetime(page) {}
    page = nil
    #expect(tally.living == 0)
    #expect(bus.post(Number(value: 2)) == 0)
    await bus.drain()
    #expect(record.values == [1])
    #expect(bus.subscriberCount(for: Number.self) == 0)
  }

  @Test("A scheduler that is released with its subscription may use the bus in its deinit") func schedulers() {
    let (bus, tally, record) = (bus, tally, Record<Int>())
    bus.subscribe(to: Other.self) { record.append($0.value) }.store(in: bag)
    var subscriptions = (0..<20).map { value in
      let load = Load(tally) {
        bus.subscribe(to: Number.self) { _ in }.cancel()
        bus.post(Other(value: value))
      }
      return bus.subscribe(to: Number.self, on: .scheduler(LoadedScheduler(load))) { _ in }
    }
    while !subscriptions.isEmpty { subscriptions.removeFirst() }
    #expect(tally.living == 0)
    #expect(record.values == Array(0..<20))
  }

  /// Runs in a separate process, so that no other test changes its memory.
  @Test("A hundred thousand released subscribers leave no memory behind") func manySubscribers() async {
    await #expect(processExitsWith: .success) {
      let (bus, tally) = (EventBus(), Tally())
      let kept = bus.subscribe(to: Number.self) { _ in }
      func cycle(_ count: Int) {
        for value in 0..<count {
          _ = Page(tally, bus, .posting) { _ in }
          precondition(bus.post(Number(value: value)) == 1, "A released subscriber was called.")
          precondition(bus.subscriberCount(for: Number.self) == 1, "The bus did not remove a released subscriber.")
        }
      }
      cycle(cycles(20_000))
      let before = Memory.resident
      cycle(cycles(100_000))
      let growth = Memory.resident - before
      precondition(
        tally.living == 0 && growth < 1 << 20,
        "\(tally.living) subscribers are left; memory has grown by \(growth) bytes.")
      withExtendedLifetime(kept) {}
    }
  }
}

/// A subscriber that stores the token of its own subscription, as a view does.
private final class Page: Sendable {
  private let load: Load
  private let onNumber: @Sendable (Int) -> Void
  private let subscription = Locked<Subscription?>(nil)

  init(_ tally: Tally, _ bus: EventBus, _ delivery: Delivery, _ onNumber: @escaping @Sendable (Int) -> Void) {
    load = Load(tally)
    self.onNumber = onNumber
    let token = bus.subscribe(to: Number.self, on: delivery) { [weak self] event in self?.onNumber(event.value) }
    subscription.withLock { $0 = token }
  }
}

/// A scheduler that runs no action and retains a load.
private final class LoadedScheduler: Scheduler {
  let isSerial = true
  let isCurrent = false
  private let load: Load

  init(_ load: Load) { self.load = load }

  func schedule(_ action: @escaping @Sendable () -> Void) {}

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    fatalError("This scheduler does not support delays.")
  }
}
