/// The mailbox of one scheduler on which handlers run: first in, first out, one wake-up for a burst.
///
/// While the mailbox is awake, its scheduler retains it, so that no event is lost when the last subscription is
/// released.
final class Mailbox: Sendable {
  let isSerial: Bool
  /// The identity for the bus: its queue, or the mailbox itself on a concurrent scheduler.
  let queueID: ObjectIdentifier?
  private let scheduler: any Scheduler
  private let core: BusCore
  private let state = Locked(State())

  fileprivate struct State: Sendable {
    var waiting = RingBuffer<PendingDelivery>()
    /// The rest of the last run. It precedes ``waiting``.
    var unfinished = RingBuffer<PendingDelivery>()
    /// The number of waiting deliveries that a subscriber can still drop, because its mailbox has a limit.
    var claimed = 0
    /// The number of these that every subscriber has dropped.
    var unwanted = 0
    var isAwake = false
    /// The last waiting burst, while events may join it.
    var open: (burst: Unmanaged<Envelope>, newest: UInt64)?
  }

  init(_ scheduler: any Scheduler, core: BusCore) {
    self.scheduler = scheduler
    self.core = core
    isSerial = scheduler.isSerial
    queueID = scheduler.isSerial ? scheduler.queueID : nil
  }

  deinit { core.forgetMailbox(id) }

  var id: ObjectIdentifier { queueID ?? ObjectIdentifier(self) }

  func wake() { scheduler.schedule { self.run() } }

  // MARK: Appending, under a channel's lock

  /// Appends an event to the last burst or to a new one, for a group that has all subscribers of the event.
  func append(
    to group: MailboxGroup, _ effects: inout Effects, make: () -> Envelope, store: (UnsafeMutableRawPointer) -> Void
  ) {
    state.withLock { state in
      if let open = state.open, open.newest == group.newest,
        let slot = open.burst._withUnsafeGuaranteedRef({ $0.append() })
      {
        return store(slot)
      }
      let burst = make()
      core.idle.add()
      state.open = (.passUnretained(burst), group.newest)
      state.waiting.append(
        PendingDelivery(envelope: burst, unkeyed: group.array.snapshot, keyed: .empty, claims: nil))
      if !state.isAwake { effects.add(.wake(self)) }
      state.isAwake = true
    }
  }

  /// Appends a delivery for this many subscribers. Those with a limit may not take it.
  func append(_ delivery: PendingDelivery, takers: Int, limited: [Subscriber], _ effects: inout Effects) {
    state.withLock { state in
      var takers = takers
      if let claims = delivery.claims {
        for subscriber in limited where !state.offer(claims, to: subscriber, &effects) { takers -= 1 }
        claims.takers = takers
        claims.isInMailbox = takers > 0
      }
      guard takers > 0 else { return }
      effects.accepted += takers
      core.idle.add()
      state.open = nil
      state.waiting.append(delivery)
      if !state.isAwake { effects.add(.wake(self)) }
      state.isAwake = true
      guard delivery.claims != nil else { return }
      state.claimed += 1
      guard state.unwanted >= 16, state.unwanted * 2 >= state.waiting.count else { return }
      let unwanted = state.waiting.removeAll { $0.claims?.takers == 0 }
      state.claimed -= unwanted.count
      state.unwanted = 0
      _ = core.idle.remove(unwanted.count)
      effects.release(unwanted.map(\.envelope))
    }
  }

  /// Returns whether the delivery is still in a mailbox with a limit, and removes it.
  func claim(_ claims: Claims, for limit: MailboxLimit) -> Bool { state.withLock { _ in limit.claim(claims) } }

  // MARK: Delivering, on the scheduler

  private func run() {
    let budget = TimeBudget(core)
    let record = core.beginInnerDelivery()
    defer { core.end(record) }
    var burst = RingBuffer<PendingDelivery>()
    var rounds = 0
    while takeSoon(&burst, rounds, within: budget) {
      rounds += 1
      while !burst.isEmpty {
        let isDelivered = deliverFirst(of: &burst, in: record, within: budget)
        // After the event is released, because its deinit may post.
        if record.storage.pointee.hasWaiting { record.deliverWaiting() }
        if isDelivered { core.deliveryEnded() }
        if budget.isSpent { return goBehind(&burst) }
      }
    }
  }

  /// Returns false if more of its events are left.
  private func deliverFirst(
    of burst: inout RingBuffer<PendingDelivery>, in record: HazardRecord, within budget: TimeBudget
  ) -> Bool {
    guard let delivery = burst.first else { return true }
    delivery.deliver(in: record, within: budget)
    if delivery.envelope.isDelivered { _ = burst.popFirst() }
    return delivery.envelope.isDelivered
  }

  /// Takes the waiting deliveries. If a poster seems to be busy, also waits as long as a wake-up would cost. Without
  /// that, an event to a queue is not
  /// three times as fast as `queue.async`.
  private func takeSoon(
    _ burst: inout RingBuffer<PendingDelivery>, _ rounds: Int, within budget: TimeBudget
  ) -> Bool {
    for _ in 0..<(rounds > 1 ? 8 : 0) {
      // Check before yielding, and for a short time: on a busy machine, other threads then have the processor for a
      // while.
      if take(&burst, orSleep: false) { return true }
      if budget.isSpent { break }
      for _ in 0..<4 { System.yield() }
    }
    return take(&burst, orSleep: true)
  }

  /// Takes all waiting deliveries, or one if a subscriber may still drop it. If nothing waits and `orSleep` is set,
  /// the mailbox is then asleep.
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

  /// Leaves the rest to another run, behind other work of the scheduler.
  private func goBehind(_ burst: inout RingBuffer<PendingDelivery>) {
    let mustWake = state.withLock { state in
      swap(&state.unfinished, &burst)
      state.isAwake = !state.unfinished.isEmpty || !state.waiting.isEmpty
      return state.isAwake
    }
    if mustWake { wake() }
  }

  /// Removes deliveries whose subscribers have all been cancelled, so that no caller waits for them. Only those at
  /// the end: a delivery before a
  /// live one is removed when that one is delivered.
  func discardDead() {
    let dead = state.withLock { state in
      state.open = nil
      var dead: [PendingDelivery] = []
      while let delivery = state.popDead() { dead.append(delivery) }
      return dead
    }
    _ = core.idle.remove(dead.count)
  }
}

extension Mailbox.State {
  /// Whether a subscriber with a limit takes the delivery. It may drop an older one for it.
  fileprivate mutating func offer(_ claims: Claims, to subscriber: Subscriber, _ effects: inout Effects) -> Bool {
    guard let (isTaken, evicted) = subscriber.limit?.offer(claims) else { return true }
    if !isTaken || evicted != nil {
      subscriber.countDrop()
      effects.add(.dropped(subscriber))
    }
    if let evicted {
      evicted.takers -= 1
      if evicted.takers == 0, evicted.isInMailbox { unwanted += 1 }
    }
    return isTaken
  }

  /// The last delivery, if no subscriber takes it any more.
  fileprivate mutating func popDead() -> PendingDelivery? {
    let isUnfinished = waiting.isEmpty
    guard var last = isUnfinished ? unfinished.popLast() : waiting.popLast() else { return nil }
    if last.findsLiveTaker() {
      if isUnfinished { unfinished.append(last) } else { waiting.append(last) }
      return nil
    }
    forgetClaims(last)
    return last
  }

  /// Counts a removed delivery.
  fileprivate mutating func forgetClaims(_ delivery: PendingDelivery) {
    guard let claims = delivery.claims, claims.isInMailbox else { return }
    claims.isInMailbox = false
    claimed -= 1
    if claims.takers == 0 { unwanted -= 1 }
  }
}

/// The maximum time for which a mailbox keeps its scheduler from other work: about 10 ms.
@usableFromInline
struct TimeBudget {
  /// Nil for Dispatch, where a coarse clock is read after each event: the exact one costs as much as a short call.
  /// Not retained, because a budget is
  /// copied for each event; its mailbox retains the core.
  private let core: Unmanaged<BusCore>?
  private let deadline: Int

  init(_ core: BusCore) {
    self.core = core.runtime is DispatchRuntime ? nil : .passUnretained(core)
    deadline = Self.now(self.core) + 10_000_000
  }

  @usableFromInline var isSpent: Bool { Self.now(core) >= deadline }

  private static func now(_ core: Unmanaged<BusCore>?) -> Int {
    core?._withUnsafeGuaranteedRef { $0.runtime.now.clampedNanoseconds } ?? System.coarseNanoseconds
  }
}
