/// The mailbox for handlers that run on one scheduler. The mailbox is first in, first out, and wakes the scheduler once
/// per burst.
///
/// While the mailbox is awake, its scheduler retains it, so no event is lost when the last subscription is released.
final class Mailbox: Sendable {
  let isSerial: Bool
  /// The identity of the scheduler's queue, or nil for a concurrent scheduler.
  let queueID: ObjectIdentifier?
  private let scheduler: any Scheduler
  private let core: BusCore
  private let state = Locked(State())

  fileprivate struct State: Sendable {
    var waiting = RingBuffer<PendingDelivery>()
    /// The deliveries that the last run left unfinished. They precede ``waiting``.
    var unfinished = RingBuffer<PendingDelivery>()
    /// The number of waiting deliveries to subscribers with a limit. Such a subscriber can still drop them.
    var claimed = 0
    /// The number of ``claimed`` deliveries that every subscriber has dropped.
    var unwanted = 0
    var isAwake = false
    /// The last waiting burst, as long as events may join it, and its channel's number of changes.
    var open: (burst: Unmanaged<Envelope>, changes: UInt64)?
  }

  init(_ scheduler: any Scheduler, core: BusCore) {
    self.scheduler = scheduler
    self.core = core
    isSerial = scheduler.isSerial
    queueID = scheduler.isSerial ? scheduler.queueID : nil
  }

  deinit { core.forgetMailbox(id) }

  /// The mailbox's identity within the bus: ``queueID``, or the identity of the mailbox itself.
  var id: ObjectIdentifier { queueID ?? ObjectIdentifier(self) }

  func wake() { scheduler.schedule { self.run() } }

  // MARK: Appending, under a channel's lock

  /// Appends an event to the last burst, or to a new one. The group must contain all subscribers to the channel.
  func append(
    to group: MailboxGroup, of channel: Channel, _ effects: inout Effects, make: () -> Envelope,
    store: (UnsafeMutableRawPointer) -> Void
  ) {
    state.withLock { state in
      if let open = state.open, open.changes == channel.changes,
        let slot = open.burst._withUnsafeGuaranteedRef({ $0.channel === channel ? $0.append() : nil })
      {
        return store(slot)
      }
      let burst = make()
      core.idle.add()
      state.open = (.passUnretained(burst), channel.changes)
      state.waiting.append(
        PendingDelivery(
          envelope: burst, unkeyed: group.sorted(&effects), keyed: .empty,
          acceptance: Acceptance(claims: nil, changes: channel.changes)))
      if !state.isAwake { effects.add(.wake(self)) }
      state.isAwake = true
    }
  }

  /// Appends a delivery for the given number of subscribers. Subscribers with a limit may decline it.
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

  /// Returns whether a subscription with a limit must still receive the delivery. If so, the delivery no longer counts
  /// as waiting.
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
        // Deliver the deferred posts after the event is released, because its deinit may post.
        if record.storage.pointee.hasWaiting { record.deliverWaiting() }
        if isDelivered { core.deliveryEnded() }
        if budget.isSpent { return goBehind(&burst) }
      }
    }
  }

  /// Delivers the first delivery of a burst. Returns false if some of its events are left.
  private func deliverFirst(
    of burst: inout RingBuffer<PendingDelivery>, in record: HazardRecord, within budget: TimeBudget
  ) -> Bool {
    guard let delivery = burst.first else { return true }
    delivery.deliver(in: record, within: budget)
    if delivery.envelope.isDelivered { _ = burst.popFirst() }
    return delivery.envelope.isDelivered
  }

  /// Takes the waiting deliveries. If another thread seems to be posting, also waits for about as long as a wake-up
  /// would take. This wait makes delivery to a queue three times as fast as `queue.async`.
  private func takeSoon(
    _ burst: inout RingBuffer<PendingDelivery>, _ rounds: Int, within budget: TimeBudget
  ) -> Bool {
    for _ in 0..<(rounds > 1 ? 8 : 0) {
      // Check before yielding, and only for a short time. On a busy machine, other threads may occupy the processor for
      // a while after a yield.
      if take(&burst, orSleep: false) { return true }
      if budget.isSpent { break }
      for _ in 0..<4 { System.yield() }
    }
    return take(&burst, orSleep: true)
  }

  /// Takes all waiting deliveries, or only one if a subscriber may still drop deliveries. If nothing is waiting and
  /// `orSleep` is true, the mailbox goes to sleep.
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

  /// Leaves the remaining deliveries to another run, after the scheduler's other work.
  private func goBehind(_ burst: inout RingBuffer<PendingDelivery>) {
    let mustWake = state.withLock { state in
      swap(&state.unfinished, &burst)
      state.isAwake = !state.unfinished.isEmpty || !state.waiting.isEmpty
      return state.isAwake
    }
    if mustWake { wake() }
  }

  /// Removes deliveries whose subscribers have all been cancelled, so that no caller waits for them. Only deliveries at
  /// the end are removed here. A delivery that precedes a live one is removed when the live one is delivered.
  func discardDead() {
    let (dead, losses) = state.withLock { state in
      state.open = nil
      var dead: [PendingDelivery] = []
      var losses: [Loss] = []
      while let delivery = state.popDead(&losses) { dead.append(delivery) }
      return (dead, losses)
    }
    for loss in losses { loss.report() }
    _ = core.idle.remove(dead.count)
  }
}

extension Mailbox.State {
  /// Returns whether a subscriber with a limit accepts the delivery. This method may drop an older delivery to make
  /// room.
  fileprivate mutating func offer(_ claims: Claims, to subscriber: Subscriber, _ effects: inout Effects) -> Bool {
    guard let (isTaken, evicted) = subscriber.limit?.offer(claims) else { return true }
    if !isTaken || evicted != nil {
      subscriber.countDrops()
      effects.add(.dropped(subscriber))
    }
    if let evicted {
      evicted.takers -= 1
      if evicted.takers == 0, evicted.isInMailbox { unwanted += 1 }
    }
    return isTaken
  }

  /// Removes and returns the last delivery if no subscriber will receive it any longer. Appends the cancelled
  /// subscribers that lose its events.
  fileprivate mutating func popDead(_ losses: inout [Loss]) -> PendingDelivery? {
    let isUnfinished = waiting.isEmpty
    guard var last = isUnfinished ? unfinished.popLast() : waiting.popLast() else { return nil }
    let (envelope, acceptance) = (last.envelope, last.acceptance)
    let isWanted = last.findsLiveTaker { subscriber in
      guard acceptance.includes(cancelled: subscriber), acceptance.claims?.withdraw(for: subscriber) != false else {
        return
      }
      // The scheduler can deliver the events to others as soon as the lock is released.
      losses.append(envelope.loss(of: subscriber))
    }
    if isWanted {
      if isUnfinished { unfinished.append(last) } else { waiting.append(last) }
      return nil
    }
    forgetClaims(last)
    return last
  }

  /// Updates the counts for a delivery that was removed.
  fileprivate mutating func forgetClaims(_ delivery: PendingDelivery) {
    guard let claims = delivery.claims, claims.isInMailbox else { return }
    claims.isInMailbox = false
    claimed -= 1
    if claims.takers == 0 { unwanted -= 1 }
  }
}

/// The maximum time for which a mailbox keeps its scheduler from doing other work: about 10 ms.
@usableFromInline
struct TimeBudget {
  /// The core whose runtime provides the time. This property is nil for Dispatch, where a coarse clock is read after
  /// each event. Reading the exact clock would cost as much as a short call. The reference is not retained, because a
  /// budget is copied for each event. The mailbox retains the core.
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
