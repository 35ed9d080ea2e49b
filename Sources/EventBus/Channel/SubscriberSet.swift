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
  @exclusivity(unchecked) private(set) final var catchingUp: ContiguousArray<Registration> = []
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

  final func forEachLive(_ body: (Registration) -> Void) {
    for array in [inlineArray, streams] + groups.map(\.array) { array.forEachLive { body($0.registration) } }
    catchingUp.forEach(body)
  }

  // MARK: Changes. They return the replaced buffer, which other threads may still be reading.

  final func insert(_ subscriber: Registration) -> SubscriberBuffer? {
    switch subscriber.destination {
    case .stream: return streams.insert(subscriber)
    case .mailbox(let mailbox):
      let group = group(for: mailbox)
      subscriber.location = .group(.passUnretained(group))
      return group.insert(subscriber)
    case .posting:
      guard let backlog = subscriber.backlog else { return insertInline(subscriber) }
      backlog.index = catchingUp.count
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

  final func remove(_ subscriber: Registration, _ actions: inout DeferredActions) -> SubscriberBuffer? {
    switch subscriber.location {
    case .group(let group):
      return group._withUnsafeGuaranteedRef { group in
        let replaced = group.remove(subscriber)
        if group.array.live == 0 { remove(group, &actions) }
        return replaced
      }
    case .catchingUp(let backlog):
      end(backlog, of: subscriber, &actions)
      return nil
    case .list:
      if !subscriber.isInline { return streams.remove(subscriber) }
      let replaced = inlineArray.remove(subscriber)
      publishInline()
      return replaced
    }
  }

  /// Removes a subscriber from the catching-up subscribers.
  final func end(_ backlog: ReplayBacklog, of subscriber: Subscriber, _ actions: inout DeferredActions) {
    backlog.end(of: subscriber, &actions)
    let last = catchingUp.removeLast()
    guard backlog.index < catchingUp.count else { return }
    catchingUp[backlog.index] = last
    last.backlog?.index = backlog.index
  }

  private final func remove(_ group: MailboxGroup, _ actions: inout DeferredActions) {
    // The group may hold the last reference to a scheduler.
    actions.release(group)
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

/// A subscriber with its location in the channel.
///
/// `Sendable` is unchecked, because the channel's lock guards ``location`` and ``set``.
final class Registration: Subscriber, @unchecked Sendable {
  /// Where the subscriber's events go.
  enum Destination: Sendable {
    /// To the handler, on the posting thread.
    case posting
    case mailbox(Mailbox)
    case stream(StreamMailbox)
  }

  /// Where the set keeps the subscriber.
  enum Location {
    /// Among the inline subscribers or the streams.
    case list
    /// Among the subscribers of one mailbox. The set retains the group. A counted reference would cost each subscription
    /// an atomic operation.
    case group(Unmanaged<MailboxGroup>)
    /// Apart, until it has received the replay and what was posted in the meantime.
    case catchingUp(ReplayBacklog)
  }

  let destination: Destination
  @exclusivity(unchecked) var location = Location.list
  /// The set that contains the subscriber. The set lives at least as long as the subscriber is in it.
  @exclusivity(unchecked) var set: Unmanaged<SubscriberSet>?

  init(
    _ subscriptionID: UInt64, _ handler: consuming AnyObject, _ destination: consuming Destination,
    limit: BoundedBuffer?, priority: Int, name: String?, fileID: StaticString, line: UInt
  ) {
    self.destination = destination
    super.init(subscriptionID, handler, limit: limit, priority: priority, name: name, fileID: fileID, line: line)
  }

  var mailbox: Mailbox? { if case .mailbox(let mailbox) = destination { mailbox } else { nil } }

  var isInline: Bool { if case .posting = destination { true } else { false } }

  var backlog: ReplayBacklog? { if case .catchingUp(let backlog) = location { backlog } else { nil } }
}

extension Subscriber {
  /// The subscriber with its location. All subscribers of a channel are registrations.
  var registration: Registration { unsafeDowncast(self, to: Registration.self) }
}
