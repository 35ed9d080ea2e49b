public import Synchronization

/// The handler, in a separate object. Calling it through a constant property of a class avoids reference counting. The
/// handler can be released while lists still hold the subscriber.
@usableFromInline
final class Handler<E: Event>: Sendable {
  @usableFromInline let call: @Sendable (E) throws -> Void

  @inlinable
  init(_ call: @escaping @Sendable (E) throws -> Void) { self.call = call }
}

/// One registration in a channel.
///
/// Unchecked, because the channel's lock guards some of the properties: the set, the group and the catch-up list.
@usableFromInline
final class Subscriber: @unchecked Sendable {
  /// The mailbox for the subscriber's events, if any.
  enum Destination: Sendable {
    case posting
    case mailbox(Mailbox, MailboxLimit?)
    case stream(StreamMailbox)
  }

  // The properties are in the order in which a cancellation uses them. With many subscribers, each cache line that a
  // cancellation touches causes a cache miss.

  /// The channel's number combined with the registration's number. Later registrations have greater numbers.
  @usableFromInline let subscriptionID: UInt64
  @usableFromInline let isLive = Atomic<Bool>(true)
  /// A ``Handler`` of the channel's event type. Only a thread that is in the channel and has read ``isLive`` while in
  /// it may use the handler.
  @usableFromInline let handler: UnsafeRawPointer
  /// The set that contains the subscriber. The set lives at least as long as the subscriber is in it. Protected by the
  /// channel's lock.
  @exclusivity(unchecked) var set: Unmanaged<SubscriberSet>?
  /// The mailbox group that contains the subscriber. The set retains the group as long as the subscriber is in it.
  /// Protected by the channel's lock. A counted reference would cost each subscription an atomic operation.
  @exclusivity(unchecked) unowned(unsafe) var group: MailboxGroup?
  let destination: Destination
  @usableFromInline let priority: Int
  @usableFromInline let fileID: StaticString
  @usableFromInline let line: UInt
  /// The name shown in the trace and in the list of subscriptions.
  let name: String?
  private let dropCount = Atomic<Int>(0)
  /// The value of ``Channel/changes`` after this subscriber's removal, or the maximum before it. Written under the
  /// channel's lock.
  let removal = Atomic<UInt64>(.max)
  /// The events that an inline subscriber must receive before it joins the other inline subscribers. Protected by the
  /// channel's lock.
  @exclusivity(unchecked) var catchUp: CatchUp?

  /// Creates a subscriber that takes ownership of the handler.
  init(
    _ channel: Channel, _ handler: consuming AnyObject, _ destination: consuming Destination, priority: Int,
    name: String?, fileID: StaticString, line: UInt
  ) {
    subscriptionID = channel.nextSubscriptionID()
    self.handler = UnsafeRawPointer(Unmanaged.passRetained(handler).toOpaque())
    self.destination = destination
    self.priority = priority
    self.name = name
    self.fileID = fileID
    self.line = line
  }

  /// Returns whether this subscriber's handler runs before the other one's.
  @inlinable
  func precedes(_ other: Subscriber) -> Bool {
    priority == other.priority ? subscriptionID < other.subscriptionID : priority > other.priority
  }

  var isActive: Bool { isLive.load(ordering: .sequentiallyConsistent) }

  var mailbox: Mailbox? { if case .mailbox(let mailbox, _) = destination { mailbox } else { nil } }

  var limit: MailboxLimit? { if case .mailbox(_, let limit) = destination { limit } else { nil } }

  /// Whether the subscriber is still in the channel, even if another thread is about to remove it.
  var isRegistered: Bool { removal.load(ordering: .relaxed) == .max }

  var dropped: Int { dropCount.load(ordering: .relaxed) }

  func countDrops(_ count: Int = 1) { dropCount.wrappingAdd(count, ordering: .relaxed) }

  /// Returns whether this call ended the subscription. If so, the caller removes the subscriber from the channel.
  func end() -> Bool { isActive && isLive.exchange(false, ordering: .sequentiallyConsistent) }

  /// Returns the handler and transfers its ownership to the caller. Only the thread that has set ``isLive`` to false
  /// may call this method.
  func takeHandler() -> AnyObject { Unmanaged<AnyObject>.fromOpaque(handler).takeRetainedValue() }
}
