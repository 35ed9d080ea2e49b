/// The mailbox for handlers that run on one scheduler. The mailbox is first in, first out.
///
/// An append wakes a mailbox that is asleep. A run takes what waits, until nothing is left, and the mailbox falls asleep;
/// a run whose time is up interrupts itself and schedules another run.
///
/// While the mailbox is awake, its scheduler retains it, so no event is lost when the last subscription is released.
final class Mailbox: Sendable {
  let isSerial: Bool
  /// The identity of the scheduler's queue, or nil for a concurrent scheduler.
  let queueID: ObjectIdentifier?
  private let scheduler: any Scheduler
  private let core: BusCore
  private let onRelease: @Sendable (_ id: ObjectIdentifier) -> Void
  private let state = Locked(State())

  fileprivate struct State: Sendable {
    /// The work that the scheduler has for the mailbox.
    enum Phase: Sendable {
      /// Nothing waits.
      case asleep
      /// A run is scheduled or in progress.
      case awake
      /// Another run is scheduled. The last run left these deliveries, which precede ``waiting``.
      case interrupted(RingBuffer<PendingDelivery>)
    }

    var phase = Phase.asleep
    var waiting = RingBuffer<PendingDelivery>()
    /// The number of waiting deliveries to subscribers with a limit. Such a subscriber can still drop them.
    var limited = 0
    /// The number of ``limited`` deliveries that every subscriber has dropped.
    var unwanted = 0
    /// The last waiting burst, as long as events may join it, and its channel's number of changes.
    var open: (burst: Unmanaged<Envelope>, changes: UInt64)?
  }

  /// - Parameter onRelease: called with the mailbox's identity when the mailbox is being released.
  init(_ scheduler: any Scheduler, core: BusCore, onRelease: @escaping @Sendable (_ id: ObjectIdentifier) -> Void) {
    self.scheduler = scheduler
    self.core = core
    self.onRelease = onRelease
    isSerial = scheduler.isSerial
    queueID = scheduler.isSerial ? scheduler.queueID : nil
  }

  deinit { onRelease(id) }

  /// The mailbox's identity within the bus: ``queueID``, or the identity of the mailbox itself.
  var id: ObjectIdentifier { queueID ?? ObjectIdentifier(self) }

  func wake() { scheduler.schedule { self.run() } }

  // MARK: Appending, under a channel's lock

  /// Appends an event to the last burst, or to a new one. Call this only for a delivery to all subscribers of the
  /// caller's event type.
  ///
  /// - Parameter changes: the channel's number of changes.
  func append(
    of caller: Caller, changes: UInt64, _ actions: inout DeferredActions,
    make: (inout DeferredActions) -> PendingDelivery, store: (UnsafeMutableRawPointer) -> Void
  ) {
    state.withLock { state in
      if let open = state.open, open.changes == changes,
        let slot = open.burst._withUnsafeGuaranteedRef({ $0.caller === caller ? $0.append() : nil })
      {
        return store(slot)
      }
      let pending = make(&actions)
      core.inFlight.add()
      state.open = (.passUnretained(pending.envelope), changes)
      state.waiting.append(pending)
      if state.wake() { actions.add(.wake(self)) }
    }
  }

  /// Appends a delivery for the given number of subscribers. Subscribers with a limit may decline it.
  func append(_ pending: PendingDelivery, takers: Int, limited: [Subscriber], _ actions: inout DeferredActions) {
    state.withLock { state in
      var takers = takers
      if let recipients = pending.recipients {
        for subscriber in limited where !state.offer(pending, recipients, to: subscriber, &actions) { takers -= 1 }
        recipients.count = takers
        recipients.isInMailbox = takers > 0
      }
      guard takers > 0 else { return }
      actions.accepted += takers
      core.inFlight.add()
      state.open = nil
      state.waiting.append(pending)
      if state.wake() { actions.add(.wake(self)) }
      guard pending.recipients != nil else { return }
      state.limited += 1
      guard state.unwanted >= 16, state.unwanted * 2 >= state.waiting.count else { return }
      let unwanted = state.waiting.removeAll { $0.recipients?.count == 0 }
      state.limited -= unwanted.count
      state.unwanted = 0
      _ = core.inFlight.remove(unwanted.count)
      actions.release(unwanted.map(\.envelope))
    }
  }

  // MARK: Delivering, on the scheduler

  private func run() {
    let budget = TimeBudget(core)
    let record = core.beginInnerDelivery()
    defer { core.end(record) }
    var batch = RingBuffer<PendingDelivery>()
    var rounds = 0
    while takeSoon(&batch, rounds, within: budget) {
      rounds += 1
      while !batch.isEmpty {
        let isDelivered = deliverFirst(of: &batch, in: record, within: budget)
        // Deliver the deferred posts after the event is released, because its deinit may post.
        if record.storage.pointee.hasDeferred { record.performDeferred() }
        if isDelivered { core.deliveryEnded() }
        if budget.isSpent { return goBehind(&batch) }
      }
    }
  }

  /// Delivers the first delivery of a batch. Returns false if some of its events are left.
  private func deliverFirst(
    of batch: inout RingBuffer<PendingDelivery>, in record: HazardRecord, within budget: TimeBudget
  ) -> Bool {
    guard let delivery = batch.first else { return true }
    delivery.deliver(in: record, within: budget)
    if delivery.envelope.isDelivered { _ = batch.popFirst() }
    return delivery.envelope.isDelivered
  }

  /// Takes the waiting deliveries. If another thread seems to be posting, also waits for about as long as a wake-up
  /// would take: at most 32 yields, within the budget. This wait makes delivery to a queue three times as fast as
  /// `queue.async`.
  private func takeSoon(
    _ batch: inout RingBuffer<PendingDelivery>, _ rounds: Int, within budget: TimeBudget
  ) -> Bool {
    for _ in 0..<(rounds > 1 ? 8 : 0) {
      // Check before yielding, and only for a short time. On a busy machine, other threads may occupy the processor for
      // a while after a yield.
      if take(&batch, orSleep: false) { return true }
      if budget.isSpent { break }
      for _ in 0..<4 { System.yield() }
    }
    return take(&batch, orSleep: true)
  }

  /// Takes all waiting deliveries, or only one if a subscriber may still drop deliveries. If nothing is waiting and
  /// `orSleep` is true, the mailbox goes to sleep.
  private func take(_ batch: inout RingBuffer<PendingDelivery>, orSleep: Bool) -> Bool {
    state.withLock { state in
      state.open = nil
      if case .interrupted(let unfinished) = state.phase {
        batch = unfinished
      } else if state.limited == 0 {
        swap(&state.waiting, &batch)
      } else if let delivery = state.waiting.popFirst() {
        batch.append(delivery)
        state.noteRemoval(of: delivery)
      }
      state.phase = batch.isEmpty && orSleep ? .asleep : .awake
      return !batch.isEmpty
    }
  }

  /// Leaves the remaining deliveries to another run, after the scheduler's other work.
  private func goBehind(_ batch: inout RingBuffer<PendingDelivery>) {
    let mustWake = state.withLock { state in
      if batch.isEmpty {
        state.phase = state.waiting.isEmpty ? .asleep : .awake
        return !state.waiting.isEmpty
      }
      var left = RingBuffer<PendingDelivery>()
      swap(&left, &batch)
      state.phase = .interrupted(left)
      return true
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
    _ = core.inFlight.remove(dead.count)
  }
}

extension Mailbox.State {
  /// Wakes the mailbox. Returns whether it was asleep, so that the scheduler must run it.
  fileprivate mutating func wake() -> Bool {
    guard case .asleep = phase else { return false }
    phase = .awake
    return true
  }

  /// Returns whether a subscriber with a limit accepts the delivery. This method may drop an older delivery to make
  /// room.
  fileprivate mutating func offer(
    _ delivery: PendingDelivery, _ recipients: PendingRecipients, to subscriber: Subscriber,
    _ actions: inout DeferredActions
  ) -> Bool {
    guard let (isTaken, evicted) = subscriber.limit?.offer(recipients) else { return true }
    if !isTaken || evicted != nil {
      subscriber.countDrops()
      actions.add(.dropped(subscriber, by: delivery.envelope.caller))
    }
    if let evicted {
      evicted.count -= 1
      if evicted.count == 0, evicted.isInMailbox { unwanted += 1 }
    }
    return isTaken
  }

  /// Removes and returns the last delivery if no subscriber will receive it any longer. Appends the cancelled
  /// subscribers that lose its events.
  fileprivate mutating func popDead(_ losses: inout [Loss]) -> PendingDelivery? {
    var dead: PendingDelivery?
    if !waiting.isEmpty {
      dead = Self.popDead(of: &waiting, &losses)
    } else if case .interrupted(var unfinished) = phase {
      // Otherwise the phase would hold a second reference, and removing the delivery would copy the buffer.
      phase = .awake
      dead = Self.popDead(of: &unfinished, &losses)
      if !unfinished.isEmpty { phase = .interrupted(unfinished) }
    }
    if let dead { noteRemoval(of: dead) }
    return dead
  }

  private static func popDead(
    of deliveries: inout RingBuffer<PendingDelivery>, _ losses: inout [Loss]
  ) -> PendingDelivery? {
    guard var last = deliveries.popLast() else { return nil }
    let (envelope, acceptance) = (last.envelope, last.acceptance)
    let isWanted = last.findsLiveTaker { subscriber in
      guard acceptance.includes(cancelled: subscriber), acceptance.withdraw(for: subscriber) else { return }
      // The scheduler can deliver the events to others as soon as the lock is released.
      losses.append(envelope.loss(of: subscriber))
    }
    if !isWanted { return last }
    deliveries.append(last)
    return nil
  }

  /// Updates the counts for a delivery that was removed.
  fileprivate mutating func noteRemoval(of delivery: PendingDelivery) {
    guard let recipients = delivery.recipients, recipients.isInMailbox else { return }
    recipients.isInMailbox = false
    limited -= 1
    if recipients.count == 0 { unwanted -= 1 }
  }
}
