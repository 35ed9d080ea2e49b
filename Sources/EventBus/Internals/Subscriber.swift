public import Synchronization

/// The handler in a separate object. Calling it through a constant of a class counts no reference, and it can be
/// released while lists still hold
/// the subscriber.
@usableFromInline
final class Handler<E: Event>: Sendable {
  @usableFromInline let call: @Sendable (E) throws -> Void

  @inlinable
  init(_ call: @escaping @Sendable (E) throws -> Void) { self.call = call }
}

/// One registration.
///
/// Unchecked, because the channel's lock guards some properties: the set, the group and the catch-up list.
@usableFromInline
final class Subscriber: @unchecked Sendable {
  /// The mailbox of its events.
  enum Destination: Sendable {
    case posting
    case mailbox(Mailbox, MailboxLimit?)
    case stream(StreamMailbox)
  }

  // In the order of use by a cancel: with many subscribers, each touched cache line is a miss.

  /// The numbers of the channel and of the registration. Later registrations have greater numbers.
  @usableFromInline let subscriptionID: UInt64
  @usableFromInline let isLive = Atomic<Bool>(true)
  /// A ``Handler`` of the channel's event type. Only a thread that is in the channel and has read ``isLive`` there
  /// may use it.
  @usableFromInline let handler: UnsafeRawPointer
  /// Under the channel's lock: the set, which lives as long as the subscriber is in it.
  @exclusivity(unchecked) var set: Unmanaged<SubscriberSet>?
  /// Under the channel's lock: the group of the mailbox, which its set retains as long as the subscriber is in it. A
  /// counted reference would cost each
  /// subscription an atomic operation.
  @exclusivity(unchecked) unowned(unsafe) var group: MailboxGroup?
  let destination: Destination
  @usableFromInline let priority: Int
  @usableFromInline let fileID: StaticString
  @usableFromInline let line: UInt
  /// For the trace and for the list of subscriptions.
  let name: String?
  private let dropCount = Atomic<Int>(0)
  /// Under the channel's lock: the events that an inline subscriber must receive before it joins the others.
  @exclusivity(unchecked) var catchUp: CatchUp?

  /// Takes ownership of the handler.
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

  /// Whether its handler runs before the other one.
  @inlinable
  func precedes(_ other: Subscriber) -> Bool {
    priority == other.priority ? subscriptionID < other.subscriptionID : priority > other.priority
  }

  var isActive: Bool { isLive.load(ordering: .sequentiallyConsistent) }

  var mailbox: Mailbox? { if case .mailbox(let mailbox, _) = destination { mailbox } else { nil } }

  var limit: MailboxLimit? { if case .mailbox(_, let limit) = destination { limit } else { nil } }

  var dropped: Int {
    if case .stream(let mailbox) = destination { mailbox.dropped } else { dropCount.load(ordering: .relaxed) }
  }

  func countDrop() { dropCount.wrappingAdd(1, ordering: .relaxed) }

  /// Returns whether this call ended the subscription. Then the caller removes it from the channel.
  func end() -> Bool { isActive && isLive.exchange(false, ordering: .sequentiallyConsistent) }

  /// For the thread that has set ``isLive`` to false.
  func takeHandler() -> AnyObject { Unmanaged<AnyObject>.fromOpaque(handler).takeRetainedValue() }
}
