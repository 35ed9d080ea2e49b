public import Synchronization

/// The handler in an object of its own: calling it through a constant of a class counts no reference, and it can be
/// released while lists still hold the subscriber.
@usableFromInline
final class Handler<E: Event>: Sendable {
  @usableFromInline let call: @Sendable (E) throws -> Void

  @inlinable
  init(_ call: @escaping @Sendable (E) throws -> Void) { self.call = call }
}

/// One registration.
///
/// Unchecked because of what the channel's lock guards: the set, the group and the catch-up list.
@usableFromInline
final class Subscriber: @unchecked Sendable {
  /// Where its events wait.
  enum Destination: Sendable {
    case posting
    case mailbox(Mailbox, MailboxLimit?)
    case stream(StreamMailbox)
  }

  // In the order in which a cancel needs them: among many subscribers each cache line that it touches is a miss.

  /// The number of the channel and that of the registration: later ones are greater.
  @usableFromInline let subscriptionID: UInt64
  @usableFromInline let isLive = Atomic<Bool>(true)
  /// A ``Handler`` of the channel's event type. Only to be used by a thread that is in the channel and has seen
  /// ``isLive`` since.
  @usableFromInline let handler: UnsafeRawPointer
  /// Under the channel's lock: the set, which is alive as long as the subscriber is in it.
  @exclusivity(unchecked) var set: Unmanaged<SubscriberSet>?
  /// Under the channel's lock: the group of the mailbox, which its set keeps alive as long as the subscriber is in it. A counted
  /// reference would cost each subscription an atomic operation.
  @exclusivity(unchecked) unowned(unsafe) var group: MailboxGroup?
  let destination: Destination
  @usableFromInline let priority: Int
  @usableFromInline let fileID: StaticString
  @usableFromInline let line: UInt
  /// For the trace, and for those that list subscriptions.
  let name: String?
  private let dropCount = Atomic<Int>(0)
  /// Under the channel's lock: what an inline subscriber must still be given before it joins the others.
  @exclusivity(unchecked) var catchUp: CatchUp?

  /// Takes over the handler.
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

  /// Whether it is called before the other.
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

  /// Whether this call ended the subscription; the caller then takes it out of the channel.
  func end() -> Bool { isActive && isLive.exchange(false, ordering: .sequentiallyConsistent) }

  /// For the one that has set ``isLive`` to false.
  func takeHandler() -> AnyObject { Unmanaged<AnyObject>.fromOpaque(handler).takeRetainedValue() }
}
