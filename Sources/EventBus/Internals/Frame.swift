public import Synchronization

/// What one thread tells all others about the delivery it is in.
///
/// A frame is written by one thread and read by those that cancel: before a thread reads a list of subscribers it says which
/// channel it is in, and before it calls a subscriber it says which. So nothing that it may still touch is released
/// (``Limbo``), and ``Subscription/cancelAndWait()`` knows whom to wait for. Both are sequentially consistent
/// stores followed by a load of what the cancelling thread stores first; one of the two always sees the other.
///
/// Unchecked because it is an address. What lies there is never freed, and is atomic or for the thread that has the frame.
@usableFromInline
struct Frame: Equatable, @unchecked Sendable {
  @usableFromInline
  struct Storage: ~Copyable {
    /// The bus that is delivering; nil while the frame is free. Only for the thread that has the frame, and in the first place: the
    /// thread sanitizer takes a change of any variable here for one of the first.
    var bus: UnsafeRawPointer?

    /// The ticket of the subscriber being called, or the number of the channel being read; 0 outside.
    @usableFromInline let position = Atomic<UInt64>(0)
    /// How often the thread has entered a channel: tells a delivery from the next one in the same channel.
    @usableFromInline let entries = Atomic<UInt64>(0)
    /// Whether somebody waits for ``position`` to change.
    @usableFromInline let isAwaited = Atomic<Bool>(false)

    // The rest is for the thread that has the frame.

    /// What was posted meanwhile, and is delivered after the current event.
    var waiting = Fifo<Turn>()
    @usableFromInline var hasWaiting = false
    /// For a handler that posts to another bus. Made when first needed.
    var inner: Frame?
    /// The buses whose hook for unhandled events this thread is in. Kept in the outermost frame only.
    var reportingUnhandled: [ObjectIdentifier] = []

    /// The frame that was made before this one. Constant once others can see it.
    var previous: Frame?
  }

  @usableFromInline let storage: UnsafeMutablePointer<Storage>

  /// Says that the thread is in a channel from now on. Everything that it reads there later stays alive until it leaves.
  @inlinable
  func enter(_ channel: UInt64) {
    // Releasing, because who sees the next entry takes the previous delivery for done.
    storage.pointee.entries.store(storage.pointee.entries.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    storage.pointee.position.store(channel, ordering: .sequentiallyConsistent)
  }

  /// Says whom the thread calls next, or the number of the channel after the last one.
  @inlinable
  func move(to position: UInt64) {
    storage.pointee.position.store(position, ordering: .sequentiallyConsistent)
    if storage.pointee.isAwaited.load(ordering: .sequentiallyConsistent) { FrameRegistry.shared.wakeWaiters(for: self) }
  }

  /// Says that the thread is in no channel.
  @inlinable
  func leave() { move(to: 0) }

  /// Lets something wait until the event has been delivered that the frame is delivering.
  func deliverLater(_ turn: Turn) {
    storage.pointee.waiting.append(turn)
    storage.pointee.hasWaiting = true
  }

  /// Delivers what waits, and what is posted meanwhile, in the order of the posts.
  @usableFromInline
  func deliverWaiting() {
    while let turn = storage.pointee.waiting.popFirst() { turn.take(in: self) }
    storage.pointee.hasWaiting = false
  }
}

extension Frame {
  /// The number of the channel that the thread is in; 0 outside.
  var channel: UInt64 { storage.pointee.position.load(ordering: .sequentiallyConsistent) & Ticket.channelBits }

  func isIn(_ channel: UInt64) -> Bool { self.channel == channel }

  func isAt(_ position: UInt64) -> Bool {
    storage.pointee.position.load(ordering: .sequentiallyConsistent) == position
  }
}

/// What waits for its turn on a thread.
enum Turn {
  /// An event that a handler posted.
  case parcel(Parcel)
  /// The replay of a subscription that a handler made.
  case catchUp(Subscriber, Channel)

  func take(in frame: Frame) {
    switch self {
    case .parcel(let parcel):
      parcel.deliver(in: frame)
      parcel.envelope.channel.core.settle()
    case .catchUp(let subscriber, let channel): channel.catchUp(subscriber, in: frame)
    }
  }
}
