/// The mailbox of one place where handlers run: first in, first out, one wake-up for a burst.
///
/// While it is awake the place holds it, so that nothing is lost when the last subscription goes.
final class Mailbox: Sendable {
  let isSerial: Bool
  /// Under which the bus knows it: its place, or the mailbox itself on a concurrent scheduler.
  let place: ObjectIdentifier?
  private let scheduler: any Scheduler
  private let core: BusCore
  private let state = Locked(State())

  fileprivate struct State: Sendable {
    var waiting = RingBuffer<PendingDelivery>()
    /// What the last run had no time for; comes before ``waiting``.
    var unfinished = RingBuffer<PendingDelivery>()
    /// How many of those waiting a subscriber may still drop, because its mailbox has a limit.
    var claimed = 0
    /// How many of these every subscriber has dropped.
    var unwanted = 0
    var isAwake = false
    /// The burst at the end of those waiting, while events may join it.
    var open: (burst: Unmanaged<Envelope>, newest: UInt64)?
  }

  init(_ scheduler: any Scheduler, core: BusCore) {
    self.scheduler = scheduler
    self.core = core
    isSerial = scheduler.isSerial
    place = scheduler.isSerial ? scheduler.place : nil
  }

  deinit { core.forgetMailbox(id) }

  var id: ObjectIdentifier { place ?? ObjectIdentifier(self) }

  func wake() { scheduler.schedule { self.run() } }

  // MARK: Putting in, under a channel's lock

  /// Puts an event into the burst at the end, or into a new one, for a group that has all subscribers of the event. Returns
  /// whether the caller must wake the mailbox.
  func append(to group: MailboxGroup, make: () -> Envelope, store: (UnsafeMutableRawPointer) -> Void) -> Bool {
    state.withLock { state in
      if let open = state.open, open.newest == group.newest,
        let place = open.burst._withUnsafeGuaranteedRef({ $0.append() })
      {
        store(place)
        return false
      }
      let burst = make()
      core.idle.add()
      state.open = (.passUnretained(burst), group.newest)
      state.waiting.append(
        PendingDelivery(envelope: burst, unkeyed: group.array.snapshot, keyed: .empty, claims: nil))
      defer { state.isAwake = true }
      return !state.isAwake
    }
  }

  /// Puts a delivery into the mailbox for this many subscribers without a limit.
  func append(_ delivery: consuming PendingDelivery, takers: Int, _ effects: inout Effects) {
    effects.accepted += takers
    core.idle.add()
    let mustWake = state.withLock { state in
      state.open = nil
      state.waiting.append(delivery)
      defer { state.isAwake = true }
      return !state.isAwake
    }
    if mustWake { effects.wake(self) }
  }

  /// Puts a delivery with claims into the mailbox, for `unlimited` subscribers and for those with a limit that take it.
  func append(
    _ delivery: PendingDelivery, _ claims: Claims, unlimited: Int, limited: [Subscriber], _ effects: inout Effects
  ) {
    state.withLock { state -> Void in
      var takers = unlimited
      for subscriber in limited {
        guard let (isTaken, evicted) = subscriber.limit?.offer(claims) else { continue }
        if isTaken { takers += 1 }
        if !isTaken || evicted != nil {
          subscriber.countDrop()
          effects.dropped(by: subscriber)
        }
        if let evicted {
          evicted.takers -= 1
          if evicted.takers == 0, evicted.isInMailbox { state.unwanted += 1 }
        }
      }
      guard takers > 0 else { return }
      effects.accepted += takers
      claims.takers = takers
      claims.isInMailbox = true
      state.claimed += 1
      core.idle.add()
      state.open = nil
      state.waiting.append(delivery)
      if !state.isAwake { effects.wake(self) }
      state.isAwake = true
      if state.unwanted >= 16, state.unwanted * 2 >= state.waiting.count {
        let unwanted = state.waiting.removeAll { $0.claims?.takers == 0 }
        state.claimed -= unwanted.count
        state.unwanted = 0
        _ = core.idle.settle(unwanted.count)
        effects.release(unwanted.map(\.envelope))
      }
    }
  }

  /// Whether the delivery is still in a mailbox with a limit; takes it out.
  func claim(_ claims: Claims, for limit: MailboxLimit) -> Bool { state.withLock { _ in limit.claim(claims) } }

  // MARK: Delivering, on the scheduler

  private func run() {
    var budget = TimeBudget(core.runtime)
    let record = core.beginInnerDelivery()
    defer { core.end(record) }
    var burst = RingBuffer<PendingDelivery>()
    var rounds = 0
    while takeSoon(&burst, rounds) {
      rounds += 1
      while !burst.isEmpty {
        if deliverFirst(of: &burst, in: record, &budget) {
          // After the event is released: its deinit may post.
          if record.storage.pointee.hasWaiting { record.deliverWaiting() }
          core.settle()
        }
        if budget.isSpent { return goBehind(&burst) }
      }
    }
  }

  /// False if there was not enough time for all its events.
  private func deliverFirst(
    of burst: inout RingBuffer<PendingDelivery>, in record: HazardRecord, _ budget: inout TimeBudget
  ) -> Bool {
    guard let delivery = burst.popFirst() else { return true }
    while true {
      budget.spend(delivery.deliver(in: record, atMost: budget.stride))
      if delivery.envelope.isDelivered { return true }
      if record.storage.pointee.hasWaiting { record.deliverWaiting() }
      if budget.isSpent {
        burst.prepend(delivery)
        return false
      }
    }
  }

  /// Takes what waits, or what comes within the time that a wake-up would cost, if a poster seems to be busy. Without that, an
  /// event to a queue is not three times as fast as `queue.async`.
  private func takeSoon(_ burst: inout RingBuffer<PendingDelivery>, _ rounds: Int) -> Bool {
    for _ in 0..<(rounds > 1 ? 8 : 0) {
      for _ in 0..<4 { System.yield() }
      if take(&burst, orSleep: false) { return true }
    }
    return take(&burst, orSleep: true)
  }

  /// Takes what waits: all of it, or one if a subscriber may still drop it. If nothing waits and `orSleep`, the mailbox is asleep
  /// then.
  private func take(_ burst: inout RingBuffer<PendingDelivery>, orSleep: Bool) -> Bool {
    state.withLock { state in
      state.open = nil
      if !state.unfinished.isEmpty {
        swap(&state.unfinished, &burst)
      } else if state.claimed == 0 {
        swap(&state.waiting, &burst)
      } else if let delivery = state.waiting.popFirst() {
        burst.append(delivery)
        state.forgetClaims(delivery)
      }
      state.isAwake = !burst.isEmpty || !orSleep
      return !burst.isEmpty
    }
  }

  /// Leaves the rest for another run, behind what else waits for the scheduler.
  private func goBehind(_ burst: inout RingBuffer<PendingDelivery>) {
    let mustWake = state.withLock { state in
      swap(&state.unfinished, &burst)
      state.isAwake = !state.unfinished.isEmpty || !state.waiting.isEmpty
      return state.isAwake
    }
    if mustWake { wake() }
  }

  /// Forgets deliveries whose subscribers have all been cancelled, so that nobody waits for them.
  func discardDead() {
    let dead = state.withLock { state in
      state.open = nil
      let dead = state.unfinished.removeAll { !$0.hasLiveTaker } + state.waiting.removeAll { !$0.hasLiveTaker }
      for delivery in dead { state.forgetClaims(delivery) }
      return dead
    }
    _ = core.idle.settle(dead.count)
  }
}

extension Mailbox.State {
  /// For a delivery that was taken out.
  fileprivate mutating func forgetClaims(_ delivery: PendingDelivery) {
    guard let claims = delivery.claims, claims.isInMailbox else { return }
    claims.isInMailbox = false
    claimed -= 1
    if claims.takers == 0 { unwanted -= 1 }
  }
}

/// How long a mailbox may keep its scheduler from other work: about 10 ms.
struct TimeBudget {
  private static let whole: Duration = .milliseconds(10)
  /// Up to so many short calls between two looks at the clock, which costs as much as one of them.
  private static let most = 16

  private let runtime: any Runtime
  private let deadline: Duration
  private var lastLook: Duration
  private var left = 1
  /// How many events may be delivered before the next look at the clock.
  private(set) var stride = 1
  private(set) var isSpent = false

  init(_ runtime: any Runtime) {
    self.runtime = runtime
    lastLook = runtime.now
    deadline = lastLook + Self.whole
  }

  /// So many events were delivered.
  mutating func spend(_ events: Int) {
    left -= events
    if left > 0 { return }
    let now = runtime.now
    isSpent = now >= deadline
    stride = now - lastLook < Self.whole / 100 ? min(stride * 2, Self.most) : 1
    left = stride
    lastLook = now
  }
}
