public import Synchronization

/// The part of a subscription that a post needs: the handler, and its rank among the others.
///
/// A channel's subscribers are ``Registration``s, which also know where the channel keeps them.
///
/// `Sendable` is unchecked, because a registration has state under the channel's lock. The properties of this class are
/// constant or atomic.
@usableFromInline
class Subscriber: @unchecked Sendable {
  // The properties that a cancellation uses come first. With many subscribers, each cache line that a cancellation touches
  // causes a cache miss.

  /// The channel's number combined with the registration's number. Later registrations have greater numbers.
  @usableFromInline final let subscriptionID: UInt64
  @usableFromInline final let isLive = Atomic<Bool>(true)
  /// A ``Handler`` of the channel's event type. Only a thread that is in the channel and has read ``isLive`` while in
  /// it may use the handler.
  @usableFromInline final let handler: UnsafeRawPointer
  /// The value of ``Channel/changes`` after this subscriber's removal, or the maximum before it. Written under the
  /// channel's lock.
  final let removal = Atomic<UInt64>(.max)
  @usableFromInline final let priority: Int
  /// The events that wait in the mailbox, if the subscription has a limit.
  final let limit: BoundedBuffer?
  @usableFromInline final let fileID: StaticString
  @usableFromInline final let line: UInt
  /// The name shown in the trace and in the list of subscriptions.
  final let name: String?
  private final let dropCount = Atomic<Int>(0)

  /// Creates a subscriber that takes ownership of the handler.
  init(
    _ subscriptionID: UInt64, _ handler: consuming AnyObject, limit: BoundedBuffer?, priority: Int, name: String?,
    fileID: StaticString, line: UInt
  ) {
    self.subscriptionID = subscriptionID
    self.handler = UnsafeRawPointer(Unmanaged.passRetained(handler).toOpaque())
    self.limit = limit
    self.priority = priority
    self.name = name
    self.fileID = fileID
    self.line = line
  }

  /// Returns whether this subscriber's handler runs before the other one's.
  @inlinable
  final func precedes(_ other: Subscriber) -> Bool {
    priority == other.priority ? subscriptionID < other.subscriptionID : priority > other.priority
  }

  final var isActive: Bool { isLive.load(ordering: .sequentiallyConsistent) }

  /// Whether the subscriber is still in the channel, even if another thread is about to remove it.
  final var isRegistered: Bool { removal.load(ordering: .relaxed) == .max }

  final var dropped: Int { dropCount.load(ordering: .relaxed) }

  final func countDrops(_ count: Int = 1) { dropCount.wrappingAdd(count, ordering: .relaxed) }

  /// Returns whether this call ended the subscription. If so, the caller removes the subscriber from the channel.
  final func end() -> Bool { isActive && isLive.exchange(false, ordering: .sequentiallyConsistent) }

  /// Returns whether the subscriber must still receive a waiting event.
  @usableFromInline
  final func claim(_ recipients: PendingRecipients) -> Bool { limit?.claim(recipients) ?? true }

  /// Returns the handler and transfers its ownership to the caller. Only the thread that has set ``isLive`` to false
  /// may call this method.
  final func takeHandler() -> AnyObject { Unmanaged<AnyObject>.fromOpaque(handler).takeRetainedValue() }
}

/// Wraps a handler so that it runs once, and ends its subscription.
@usableFromInline
func onlyOnce<E: Event>(_ handler: @escaping @Sendable (E) throws -> Void) -> @Sendable (E) throws -> Void {
  let isUsed = Atomic(false)
  return { event in
    if isUsed.exchange(true, ordering: .relaxed) { throw EndOfSubscription.asUnused }
    do { try handler(event) } catch { throw EndOfSubscription.failed(error) }
    throw EndOfSubscription.asUsed
  }
}

/// Thrown by the wrapper for `once` handlers to end a subscription. ``Caller`` catches it, so no client sees it.
@usableFromInline
enum EndOfSubscription: Error {
  /// The handler was not called because another thread's event arrived first.
  case unused
  /// The handler was called for the last time.
  case used
  case failed(any Error)

  // These instances are reused. There can be millions of throws, and tools that record each thrown error would keep
  // every instance.
  @usableFromInline static let asUnused: any Error = EndOfSubscription.unused
  @usableFromInline static let asUsed: any Error = EndOfSubscription.used
}
