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
    /// How many of them every subscriber has dropped.
    var unwanted = 0
    var isAwake = false
  }

  init(_ scheduler: any Scheduler, core: BusCore) {
    self.scheduler = scheduler
    self.core = core
    isSerial = scheduler.isSerial
    isMain = scheduler === core.runtime.main
  }

  /// What came of putting a parcel into the mailbox.
  struct Outcome: Sendable {
    var accepted = 0
    /// Whether the caller must ``wake()`` the lane, once it holds no lock.
    var mustWake = false
    /// To be released once the caller holds no lock.
    var released: [Parcel] = []
  }

  /// Puts a parcel into the mailbox, for `unbounded` subscribers without a limit and for those of `bounded` that take it.
  func append(_ parcel: Parcel, unbounded: Int, bounded: [Subscriber], onDrop: (Subscriber) -> Void) -> Outcome {
    mailbox.withLock { mailbox in
      var outcome = Outcome(accepted: unbounded)
      for subscriber in bounded {
        guard let tally = parcel.tally, let (isTaken, evicted) = subscriber.bound?.offer(tally) else { continue }
        if isTaken { outcome.accepted += 1 }
        if !isTaken || evicted != nil { onDrop(subscriber) }
        if let evicted {
          evicted.takers -= 1
          if evicted.takers == 0, evicted.isInMailbox { mailbox.unwanted += 1 }
        }
      }
      guard outcome.accepted > 0 else { return outcome }
      if let tally = parcel.tally {
        tally.takers = outcome.accepted
        tally.isInMailbox = true
      }
      core.idle.add()
      mailbox.waiting.append(parcel)
      outcome.mustWake = !mailbox.isAwake
      mailbox.isAwake = true
      if mailbox.unwanted >= 16, mailbox.unwanted * 2 >= mailbox.waiting.count {
        outcome.released = mailbox.waiting.removeAll { $0.tally?.takers == 0 }
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
    while let (parcel, isWanted) = take() {
      if isWanted { parcel.deliver(in: frame) }
      frame.deliverWaiting()
      core.settle()
      if let deadline, core.runtime.now >= deadline { return wake() }
    }
  }

  private func take() -> (Parcel, isWanted: Bool)? {
    mailbox.withLock { mailbox in
      guard let parcel = mailbox.waiting.popFirst() else {
        mailbox.isAwake = false
        return nil
      }
      guard let tally = parcel.tally else { return (parcel, true) }
      tally.isInMailbox = false
      if tally.takers == 0 { mailbox.unwanted -= 1 }
      return (parcel, tally.takers > 0)
    }
  }

  /// Forgets parcels whose subscribers have all been cancelled, so that nobody waits for them.
  func discardDead() {
    let dead = mailbox.withLock { mailbox in
      let dead = mailbox.waiting.removeAll { !$0.hasLiveTaker }
      for tally in dead.compactMap({ $0.tally }) {
        tally.isInMailbox = false
        if tally.takers == 0 { mailbox.unwanted -= 1 }
      }
      return dead
    }
    core.idle.settle(dead.count)
  }
}
