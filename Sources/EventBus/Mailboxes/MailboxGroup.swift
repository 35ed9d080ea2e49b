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
