/// The mailboxes of one bus, one for each queue of a serial scheduler. The subscriptions own the mailboxes.
final class MailboxTable: Sendable {
  private struct Reference: Sendable {
    weak let mailbox: Mailbox?
  }

  private let core: BusCore
  private let mailboxes = Locked<[ObjectIdentifier: Reference]>([:])

  init(_ core: BusCore) { self.core = core }

  func mailbox(on scheduler: any Scheduler) -> Mailbox {
    if scheduler.isSerial, let known = mailboxes.withLock({ $0[scheduler.queueID]?.mailbox }) { return known }
    let made = Mailbox(scheduler, core: core) { [weak self] in self?.forget($0) }
    return mailboxes.withLock { mailboxes in
      // On a concurrent scheduler, each subscription has its own mailbox. A handler therefore never runs concurrently
      // with itself, and a slow handler never delays another.
      if made.isSerial, let known = mailboxes[made.id]?.mailbox { return known }
      mailboxes[made.id] = Reference(mailbox: made)
      return made
    }
  }

  var all: [Mailbox] { mailboxes.withLock { $0.values.compactMap(\.mailbox) } }

  /// Removes the entry of a mailbox that is being released, unless another mailbox has replaced it.
  private func forget(_ id: ObjectIdentifier) {
    // Returns the successor so that it is not released under the lock.
    let successor = mailboxes.withLock { mailboxes -> Mailbox? in
      if let mailbox = mailboxes[id]?.mailbox { return mailbox }
      mailboxes[id] = nil
      return nil
    }
    withExtendedLifetime(successor) {}
  }
}

extension Scheduler {
  /// The identity of the scheduler's queue. The identity is equal for all schedulers that run on the same queue.
  var queueID: ObjectIdentifier {
    (self as? DispatchScheduler).map { ObjectIdentifier($0.identity) } ?? ObjectIdentifier(self)
  }
}

/// The subscribers of one set that share one mailbox. The conformance is unchecked because the type is used only under
/// the channel's lock.
final class MailboxGroup: @unchecked Sendable {
  let mailbox: Mailbox
  /// An uncounted reference to the same mailbox. Counting references to a mailbox is slow, because mailboxes have weak
  /// references.
  let unmanagedMailbox: Unmanaged<Mailbox>
  /// The group's index in its set.
  @exclusivity(unchecked) var index: Int
  @exclusivity(unchecked) private(set) var array = SubscriberArray()
  /// The number of subscribers with a limit.
  @exclusivity(unchecked) private(set) var limited = 0

  init(_ mailbox: Mailbox, index: Int) {
    self.mailbox = mailbox
    self.index = index
    unmanagedMailbox = .passUnretained(mailbox)
  }

  func insert(_ subscriber: Subscriber) -> SubscriberBuffer? {
    if subscriber.limit != nil { limited += 1 }
    return array.insert(subscriber)
  }

  /// Returns the subscribers in calling order.
  func sorted(_ actions: inout DeferredActions) -> Snapshot {
    // The replaced buffer need not be retired: outside the lock, only snapshots refer to it.
    actions.release(array.sort())
    return array.snapshot
  }

  func remove(_ subscriber: Subscriber) -> SubscriberBuffer? {
    if subscriber.limit != nil { limited -= 1 }
    return array.remove(subscriber)
  }
}
