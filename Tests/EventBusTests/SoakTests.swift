import EventBus
import TestMachine
import Testing

/// A suite that runs only with `FETCHER_LONG=1`, for 60 seconds or the number of seconds in `FETCHER_SOAK_SECONDS`.
@Suite("The bus withstands sustained load", .childProcesses, .long) struct SoakTests {
  /// Runs in a separate process, so that no other test changes its memory.
  @Test("Under long load, all delivery modes keep exact counts and constant memory")
  func soak() async {
    await #expect(processExitsWith: .success) {
      let soak = Soak()
      let duration = Duration.seconds(environment("FETCHER_SOAK_SECONDS").flatMap { Int($0) } ?? 60)
      let resident = await soak.run(for: duration)
      let growth = resident.end - resident.warm
      print("\(soak.posted) events; \(resident.warm >> 20) MiB when warm, \(resident.end >> 20) MiB at the end.")
      precondition(growth < 16 << 20, "Memory has grown by \(growth) bytes.")
      soak.finish()
    }
  }

  /// A hazard record has 24 bits for the channel number. Each post of a replayed type creates a channel in a new bus.
  @Test("After 16,777,214 channels, cancelAndWait() still returns only after the running call has ended")
  func channelNumbers() async {
    await #expect(processExitsWith: .success) {
      let (entered, door) = (DispatchRuntime.shared.gate(), DispatchRuntime.shared.gate())
      let (held, isOver) = (EventBus(runtime: WatchedRuntime(onWait: { door.open() })), Flag())
      let waitedFor = held.subscribe(to: Number.self) { _ in
        entered.open()
        door.wait()
        isOver.set()
      }
      for value in 0..<((1 << 24) - 2) { EventBus().post(Sticky(value: value)) }
      let last = EventBus()
      let waiting = last.subscribe(to: Number.self) { _ in
        waitedFor.cancelAndWait()
        precondition(isOver.isSet, "cancelAndWait() returned before the call had ended.")
      }
      let poster = Elsewhere { held.post(Number(value: 1)) }
      await entered.passed()
      await Elsewhere { last.post(Number(value: 1)) }.end()
      await poster.end()
      withExtendedLifetime(waiting) {}
    }
  }
}

/// A load that posts in rounds. After each round, it drains the bus and checks the counts.
private final class Soak: @unchecked Sendable {
  private static let posters = 10
  /// A multiple of the number of keys.
  private static let perRound = 40

  private let bus = EventBus()
  private let stream: EventStream<Beat>
  private let permanent: [Listener]
  private var passing: [Listener]
  private(set) var posted = 0

  init() {
    let bus = bus
    stream = bus.events(of: Beat.self, limit: .unbounded)
    permanent =
      DeliveryMode.allCases.flatMap { [Listener(bus, $0), Listener(bus, $0, key: 1)] }
      + DeliveryMode.queued.flatMap { [Listener(bus, $0, .dropOldest(5)), Listener(bus, $0, .dropNewest(5))] }
    passing = (0..<1000).map { Self.passing(bus, $0) }
  }

  private static func passing(_ bus: EventBus, _ index: Int) -> Listener {
    Listener(bus, DeliveryMode.allCases[index % 5], key: index.isMultiple(of: 2) ? nil : index % Beat.keys)
  }

  /// Returns the resident memory after a quarter of the duration and at the end.
  func run(for duration: Duration) async -> (warm: Int, end: Int) {
    let begin = ContinuousClock.now
    var warm: Int?
    var reader = stream.makeAsyncIterator()
    var next = [Int](repeating: 0, count: Self.posters)
    while ContinuousClock.now < begin + duration {
      await round()
      for _ in 0..<Self.posters * Self.perRound {
        guard let beat = await reader.next() else { preconditionFailure("The stream has ended.") }
        precondition(beat.number == next[beat.poster], "The stream has a gap or a repetition.")
        next[beat.poster] += 1
      }
      for listener in permanent { listener.checkCount(posted: posted) }
      if warm == nil, ContinuousClock.now > begin + duration / 4 { warm = Memory.resident }
    }
    return (warm ?? 0, Memory.resident)
  }

  private func round() async {
    let (bus, first) = (bus, posted / Self.posters)
    let posters = (0..<Self.posters).map { poster in
      Elsewhere { for number in first..<first + Self.perRound { bus.post(Beat(poster: poster, number: number)) } }
    }
    for step in 0..<100 {
      let index = (posted / 4 + step * 7) % passing.count
      passing[index] = Self.passing(bus, index)
    }
    for poster in posters { await poster.end() }
    posted += Self.posters * Self.perRound
    await bus.drain()
  }

  func finish() {
    passing = []
    precondition(bus.subscriberCount(for: Beat.self) == permanent.count + 1, "Subscriptions are left over.")
  }
}

private struct Beat: KeyedEvent {
  static let keys = 4
  let poster: Int
  let number: Int
  var key: Int { number % Self.keys }
}

/// A subscriber that checks the events from each poster. Without a limit, they have no gap and no repetition from the
/// first event on.
private final class Listener: Sendable {
  private let heard: Heard
  private let subscription: Subscription
  private let share: Int

  init(_ bus: EventBus, _ mode: DeliveryMode, _ overflow: Overflow = .unbounded, key: Int? = nil) {
    let heard = Heard()
    self.heard = heard
    share = key == nil ? 1 : Beat.keys
    var hasLimit = true
    if case .unbounded = overflow { hasLimit = false }
    let step = hasLimit ? nil : share
    if let key {
      subscription = bus.subscribe(to: Beat.self, key: key, on: mode.place(overflow)) {
        heard.note($0, step: step)
      }
    } else {
      subscription = bus.subscribe(to: Beat.self, on: mode.place(overflow)) { heard.note($0, step: step) }
    }
  }

  func checkCount(posted: Int) {
    let (heard, dropped) = (heard.count, subscription.dropped)
    precondition(
      heard + dropped == posted / share,
      "The listener handled \(heard) and lost \(dropped) of \(posted / share) events.")
  }
}

/// An unsynchronized entry for each poster. The bus never delivers two events of one poster concurrently.
private final class Heard: @unchecked Sendable {
  private let last = UnsafeMutableBufferPointer<Int>.allocate(capacity: 10)
  private let counts = UnsafeMutableBufferPointer<Int>.allocate(capacity: 10)

  init() {
    last.initialize(repeating: -1)
    counts.initialize(repeating: 0)
  }

  deinit {
    last.deallocate()
    counts.deallocate()
  }

  var count: Int { counts.reduce(0, +) }

  func note(_ beat: Beat, step: Int?) {
    let before = last[beat.poster]
    precondition(
      before < 0 || (step.map { beat.number == before + $0 } ?? (beat.number > before)),
      "Event \(beat.number) of poster \(beat.poster) followed event \(before).")
    last[beat.poster] = beat.number
    counts[beat.poster] += 1
  }
}
