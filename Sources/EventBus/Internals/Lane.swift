/// The mailbox of one place where handlers run: first in, first out, one wake-up for a burst.
///
/// While it is awake the place holds it, so that nothing is lost when the last subscription goes.
final class Lane: Sendable {
  /// How long the main scheduler is kept from other work before the lane queues up again.
  private static let mainBudget: Duration = .milliseconds(10)

  let isSerial: Bool
  private let scheduler: any Scheduler
  private let core: BusCore
  private let isMain: Bool
  private let mailbox = Locked(Mailbox())

  private struct Mailbox: Sendable {
    var waiting = Fifo<Parcel>()
    /// What the last run had no time for; comes before ``waiting``.
    var unfinished = Fifo<Parcel>()
    /// How many of those waiting somebody may still drop, because his mailbox has a limit.
    var tallied = 0
    /// How many of these every subscriber has dropped.
    var unwanted = 0
    var isAwake = false
    /// The last of those waiting, if more events may join it.
    var open: OpenBatch?
  }

  private struct OpenBatch: Sendable {
    let batch: Unmanaged<Batch>
    /// ``LaneGroup/newest`` when it was made.
    let newest: UInt64
  }

  init(_ scheduler: any Scheduler, core: BusCore) {
    self.scheduler = scheduler
    self.core = core
    isSerial = scheduler.isSerial
    isMain = scheduler.place == core.runtime.main.place
  }

  /// Whether events may be delivered several at a time: not where the time is looked at after each.
  var takesBatches: Bool { !isMain }

  /// Stores an event in the batch at the end of the mailbox, or in a new one. Returns whether the caller must ``wake()`` the
  /// lane, once it holds no lock.
  func append(to group: LaneGroup, make: () -> Batch, store: (Batch) -> Void) -> Bool {
    mailbox.withLock { mailbox in
      if let open = mailbox.open, open.newest == group.newest {
        let isStored = open.batch._withUnsafeGuaranteedRef { batch in
          if batch.isFull { return false }
          store(batch)
          batch.count &+= 1
          return true
        }
        if isStored { return false }
      }
      let batch = make()
      store(batch)
      batch.count = 1
      core.idle.add()
      mailbox.waiting.append(
        Parcel(envelope: batch, unkeyed: group.roll.snapshot, keyed: Snapshot(nil), tally: nil))
      mailbox.open = OpenBatch(batch: .passUnretained(batch), newest: group.newest)
      defer { mailbox.isAwake = true }
      return !mailbox.isAwake
    }
  }

  /// Puts a parcel into the mailbox. Returns whether the caller must ``wake()`` the lane, once it holds no lock.
  func append(_ parcel: consuming Parcel) -> Bool {
    core.idle.add()
    return mailbox.withLock { mailbox in
      mailbox.open = nil
      mailbox.waiting.append(parcel)
      defer { mailbox.isAwake = true }
      return !mailbox.isAwake
    }
  }

  /// What came of offering a parcel to subscribers with a limit.
  struct Outcome: Sendable {
    var accepted = 0
    var mustWake = false
    var droppedBy: [Subscriber] = []
    /// To be released once the caller holds no lock.
    var released: [Parcel] = []
  }

  /// Puts a parcel with a tally into the mailbox, for `unbounded` subscribers without a limit and for those of `bounded` that
  /// take it.
  func append(_ parcel: Parcel, unbounded: Int, bounded: [Subscriber]) -> Outcome {
    mailbox.withLock { mailbox in
      var outcome = Outcome(accepted: unbounded)
      guard let tally = parcel.tally else { return outcome }
      for subscriber in bounded {
        guard let (isTaken, evicted) = subscriber.bound?.offer(tally) else { continue }
        if isTaken { outcome.accepted += 1 }
        if !isTaken || evicted != nil { outcome.droppedBy.append(subscriber) }
        if let evicted {
          evicted.takers -= 1
          if evicted.takers == 0, evicted.isInMailbox { mailbox.unwanted += 1 }
        }
      }
      guard outcome.accepted > 0 else { return outcome }
      tally.takers = outcome.accepted
      tally.isInMailbox = true
      mailbox.tallied += 1
      core.idle.add()
      mailbox.open = nil
      mailbox.waiting.append(parcel)
      outcome.mustWake = !mailbox.isAwake
      mailbox.isAwake = true
      if mailbox.unwanted >= 16, mailbox.unwanted * 2 >= mailbox.waiting.count {
        outcome.released = mailbox.waiting.removeAll { $0.tally?.takers == 0 }
        mailbox.tallied -= outcome.released.count
        mailbox.unwanted = 0
        core.idle.settle(outcome.released.count)
      }
      return outcome
    }
  }

  /// Whether the parcel is still in a mailbox with a limit; takes it out.
  func claim(_ parcel: Tally, for bound: LaneBound) -> Bool { mailbox.withLock { _ in bound.claim(parcel) } }

  func wake() { scheduler.schedule { self.run() } }

  private func run() {
    let deadline = isMain ? core.runtime.now + Self.mainBudget : nil
    let frame = core.beginInnerFrame()
    defer { core.end(frame) }
    var burst = Fifo<Parcel>()
    // An event that comes alone is no reason to linger.
    var hasSeenMore = false
    var taken = take(&burst, orSleep: true)
    while taken != .nothing {
      while let parcel = burst.popFirst() {
        parcel.deliver(in: frame)
        frame.deliverWaiting()
        core.settle()
        guard let deadline, core.runtime.now >= deadline else { continue }
        mailbox.withLock { swap(&$0.unfinished, &burst) }
        return wake()
      }
      let mayLinger = taken == .all && hasSeenMore && !isMain
      hasSeenMore = true
      taken = mayLinger ? linger(&burst) : take(&burst, orSleep: true)
    }
  }

  private enum Taken {
    case nothing
    /// There may be more.
    case one
    case all
  }

  /// Takes what comes within the time that a wake-up would cost. Between the looks a poster can fill a batch undisturbed.
  private func linger(_ burst: inout Fifo<Parcel>) -> Taken {
    for _ in 0..<8 {
      for _ in 0..<4 { ThisThread.giveWay() }
      let taken = take(&burst, orSleep: false)
      if taken != .nothing { return taken }
    }
    return take(&burst, orSleep: true)
  }

  /// Takes what waits: all of it, or one if somebody may still drop it. If nothing waits and `orSleep`, the lane is asleep then.
  private func take(_ burst: inout Fifo<Parcel>, orSleep: Bool) -> Taken {
    mailbox.withLock { mailbox in
      if !mailbox.unfinished.isEmpty {
        swap(&mailbox.unfinished, &burst)
        return .one
      }
      mailbox.open = nil
      if mailbox.waiting.isEmpty {
        mailbox.isAwake = !orSleep
        return .nothing
      }
      if mailbox.tallied == 0 {
        swap(&mailbox.waiting, &burst)
        return .all
      }
      guard let parcel = mailbox.waiting.popFirst() else { return .nothing }
      burst.append(parcel)
      if let tally = parcel.tally {
        tally.isInMailbox = false
        mailbox.tallied -= 1
        if tally.takers == 0 { mailbox.unwanted -= 1 }
      }
      return .one
    }
  }

  /// Forgets parcels whose subscribers have all been cancelled, so that nobody waits for them.
  func discardDead() {
    let dead = mailbox.withLock { mailbox in
      mailbox.open = nil
      let dead = mailbox.unfinished.removeAll { !$0.hasLiveTaker } + mailbox.waiting.removeAll { !$0.hasLiveTaker }
      for tally in dead.compactMap({ $0.tally }) {
        tally.isInMailbox = false
        mailbox.tallied -= 1
        if tally.takers == 0 { mailbox.unwanted -= 1 }
      }
      return dead
    }
    core.idle.settle(dead.count)
  }
}
