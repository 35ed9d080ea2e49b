public import Synchronization

/// The subscribers to a type without a key, or to one of its keys.
///
/// The conformance is unchecked because everything except ``inline`` is used only under the channel's lock.
@usableFromInline
class SubscriberSet: @unchecked Sendable {
  /// The inline subscribers' buffer, which posts read without taking the lock. ``inlineArray`` keeps the buffer alive.
  /// After a replacement, ``RetireList`` does.
  @usableFromInline final let inline = Atomic<Unmanaged<SubscriberBuffer>?>(nil)
  @exclusivity(unchecked) private(set) final var inlineArray = SubscriberArray()
  /// One group for each mailbox that has subscribers in this set, in no particular order.
  @exclusivity(unchecked) private(set) final var groups: ContiguousArray<MailboxGroup> = []
  @exclusivity(unchecked) private final var groupsOfSerialMailboxes: [ObjectIdentifier: MailboxGroup] = [:]
  @exclusivity(unchecked) private(set) final var streams = SubscriberArray()
  /// The inline subscribers that are catching up, in no particular order.
  @exclusivity(unchecked) private(set) final var catchingUp: ContiguousArray<Subscriber> = []
  /// The most recent events, up to the number that the type replays.
  @exclusivity(unchecked) final var replay = RingBuffer<Envelope>()
  /// Whether the key index has removed this set. After a removal, look up the key again.
  @exclusivity(unchecked) final var isRetired = false

  /// The tag of the set in a ``KeyIndex``, or 0 for the set without a key.
  final let tag: UInt

  init(tag: UInt = 0) { self.tag = tag }

  /// The key to show in the list of subscriptions.
  var anyKey: (any Hashable & Sendable)? { nil }

  final var isEmpty: Bool {
    inlineArray.live == 0 && groups.isEmpty && streams.live == 0 && catchingUp.isEmpty && replay.isEmpty
  }

  final func group(of mailbox: Mailbox) -> MailboxGroup? { groupsOfSerialMailboxes[ObjectIdentifier(mailbox)] }

  final func forEachLive(_ body: (Subscriber) -> Void) {
    inlineArray.forEachLive(body)
    for group in groups { group.array.forEachLive(body) }
    streams.forEachLive(body)
    catchingUp.forEach(body)
  }

  // MARK: Changes. They return the replaced buffer, which other threads may still be reading.

  final func insert(_ subscriber: Subscriber) -> SubscriberBuffer? {
    switch subscriber.destination {
    case .stream: return streams.insert(subscriber)
    case .mailbox(let mailbox, _): return group(for: mailbox).insert(subscriber)
    case .posting:
      if subscriber.catchUp == nil { return insertInline(subscriber) }
      subscriber.catchUp?.index = catchingUp.count
      catchingUp.append(subscriber)
      return nil
    }
  }

  private final func group(for mailbox: Mailbox) -> MailboxGroup {
    if mailbox.isSerial, let group = group(of: mailbox) { return group }
    let made = MailboxGroup(mailbox, index: groups.count)
    groups.append(made)
    if mailbox.isSerial { groupsOfSerialMailboxes[ObjectIdentifier(mailbox)] = made }
    return made
  }

  /// Puts the inline subscribers into calling order.
  final func sortInline() -> SubscriberBuffer? {
    let replaced = inlineArray.sort()
    publishInline()
    return replaced
  }

  private final func insertInline(_ subscriber: Subscriber) -> SubscriberBuffer? {
    let replaced = inlineArray.insert(subscriber)
    publishInline()
    return replaced
  }

  final func remove(_ subscriber: Subscriber, _ effects: inout Effects) -> SubscriberBuffer? {
    switch subscriber.destination {
    case .stream: return streams.remove(subscriber)
    case .mailbox:
      guard let group = subscriber.group else { return nil }
      let replaced = group.remove(subscriber)
      if group.array.live == 0 { remove(group, &effects) }
      return replaced
    case .posting:
      if let catchUp = subscriber.catchUp {
        end(catchUp, of: subscriber, &effects)
        return nil
      }
      let replaced = inlineArray.remove(subscriber)
      publishInline()
      return replaced
    }
  }

  /// Removes a subscriber from the catching-up subscribers.
  final func end(_ catchUp: CatchUp, of subscriber: Subscriber, _ effects: inout Effects) {
    catchUp.end(of: subscriber, &effects)
    let last = catchingUp.removeLast()
    guard catchUp.index < catchingUp.count else { return }
    catchingUp[catchUp.index] = last
    last.catchUp?.index = catchUp.index
  }

  private final func remove(_ group: MailboxGroup, _ effects: inout Effects) {
    // The group may hold the last reference to a scheduler.
    effects.release(group)
    if group.mailbox.isSerial { groupsOfSerialMailboxes[ObjectIdentifier(group.mailbox)] = nil }
    let last = groups.removeLast()
    guard last !== group else { return }
    groups[group.index] = last
    last.index = group.index
  }

  private final func publishInline() {
    let buffer = inlineArray.buffer.map(Unmanaged.passUnretained)
    guard inline.load(ordering: .relaxed)?.toOpaque() != buffer?.toOpaque() else { return }
    inline.store(buffer, ordering: .sequentiallyConsistent)
  }
}

/// The subscribers to one key.
///
/// The conformance is unchecked for the same reason as that of the superclass.
@usableFromInline
final class KeyedSubscriberSet<Key: Hashable & Sendable>: SubscriberSet, @unchecked Sendable {
  @usableFromInline let key: Key

  init(_ key: Key, tag: UInt) {
    self.key = key
    super.init(tag: tag)
  }

  override var anyKey: (any Hashable & Sendable)? { key }
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
    subscriber.group = self
    if subscriber.limit != nil { limited += 1 }
    return array.insert(subscriber)
  }

  /// Returns the subscribers in calling order.
  func sorted(_ effects: inout Effects) -> Snapshot {
    // The replaced buffer need not be retired: outside the lock, only snapshots refer to it.
    effects.release(array.sort())
    return array.snapshot
  }

  func remove(_ subscriber: Subscriber) -> SubscriberBuffer? {
    if subscriber.limit != nil { limited -= 1 }
    return array.remove(subscriber)
  }
}
