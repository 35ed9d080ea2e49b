public import Synchronization

/// What one thread publishes about the delivery it is in.
///
/// A record is written by one thread and read by those that cancel: before a thread reads a list of subscribers it publishes
/// which channel it is in, and before it calls a subscriber it publishes which. So nothing that it may still use is released
/// (``RetireList``), and ``Subscription/cancelAndWait()`` knows which calls to wait for. Both are sequentially consistent
/// stores followed by a load of what the cancelling thread stores first; one of the two always sees the other.
///
/// Unchecked because it is an address. What lies there is never freed, and is atomic or for the thread that has the record.
@usableFromInline
struct HazardRecord: Equatable, @unchecked Sendable {
  @usableFromInline
  struct Storage: ~Copyable {
    // For the thread that has the record. It is the first field: the thread sanitizer takes a change of any variable for one of
    // the first.

    /// What was posted meanwhile, and is delivered after the current event.
    var waiting = RingBuffer<DeferredDelivery>()
    @usableFromInline var hasWaiting = false
    /// For a handler that posts to another bus. Made when first needed.
    var inner: HazardRecord?
    /// The buses whose hook for unhandled events this thread is in. Kept in the outermost record only.
    var reportingUnhandled: [ObjectIdentifier] = []

    /// The record that was made before this one. Constant once others can see it.
    var previous: HazardRecord?

    // For all threads.

    /// The address of the bus that is delivering, ``HazardRecord/section``, or 0 while the record is free. Stored before
    /// ``position``, which publishes it.
    @usableFromInline let bus = Atomic<UInt>(0)
    /// The subscription ID of the subscriber being called, or the number of the channel being read; 0 outside.
    @usableFromInline let position = Atomic<UInt64>(0)
    /// How often the thread has entered a channel: distinguishes a delivery from the next one in the same channel.
    @usableFromInline let entries = Atomic<UInt64>(0)
    /// Which changes of ``position`` somebody waits for.
    @usableFromInline let awaited = Atomic<UInt8>(0)
  }

  /// In ``Storage/awaited``: somebody waits for the end of a call.
  @usableFromInline static var call: UInt8 { 1 }
  /// In ``Storage/awaited``: somebody waits for the thread to leave the channel.
  static var leave: UInt8 { 2 }
  /// In ``Storage/bus``: the thread only reads lists, and delivers nothing with this record.
  static var section: UInt { 1 }

  @usableFromInline let storage: UnsafeMutablePointer<Storage>

  /// Publishes that the thread is in a channel from now on. Everything that it reads there later stays alive until it leaves.
  @inlinable
  func enter(_ channel: UInt64) {
    // Releasing, because a thread that sees the next entry takes the previous delivery for done.
    storage.pointee.entries.store(storage.pointee.entries.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    storage.pointee.position.store(channel, ordering: .sequentiallyConsistent)
  }

  /// Publishes which subscriber the thread calls next.
  @inlinable
  func setPosition(_ subscriptionID: UInt64) {
    storage.pointee.position.store(subscriptionID, ordering: .sequentiallyConsistent)
    if storage.pointee.awaited.load(ordering: .sequentiallyConsistent) & Self.call != 0 { wakeWaiters() }
  }

  /// Publishes that the thread is in no channel.
  @inlinable
  func leave() {
    storage.pointee.position.store(0, ordering: .sequentiallyConsistent)
    if storage.pointee.awaited.load(ordering: .sequentiallyConsistent) != 0 { wakeWaiters() }
  }

  @usableFromInline
  func wakeWaiters() { HazardRegistry.shared.wakeWaiters(for: self) }

  /// Lets something wait until the event has been delivered that the thread is delivering.
  func deliverLater(_ delivery: DeferredDelivery) {
    storage.pointee.waiting.append(delivery)
    storage.pointee.hasWaiting = true
  }

  /// Delivers what waits, and what is posted meanwhile, in the order of the posts.
  @usableFromInline
  func deliverWaiting() {
    // The delivery ends when the event is released: its deinit may post.
    while let core = deliverFirst() { core.deliveryEnded() }
    storage.pointee.hasWaiting = false
  }

  private func deliverFirst() -> BusCore? {
    switch storage.pointee.waiting.popFirst() {
    case .delivery(let delivery, let catchUp):
      if let catchUp { delivery.envelope.channel.wait(for: catchUp) }
      repeat { delivery.deliver(in: self) } while !delivery.envelope.isDelivered
      return delivery.envelope.channel.core
    case .catchUp(let subscriber, let channel):
      channel.catchUp(subscriber, in: self)
      return channel.core
    case nil: return nil
    }
  }
}

extension HazardRecord {
  /// The number of the channel that the thread is in; 0 outside.
  var channel: UInt64 { storage.pointee.position.load(ordering: .sequentiallyConsistent) & Channel.numberBits }

  func isIn(_ channel: UInt64) -> Bool { self.channel == channel }

  func isAt(_ subscriptionID: UInt64) -> Bool {
    storage.pointee.position.load(ordering: .sequentiallyConsistent) == subscriptionID
  }

  /// Whether the thread delivers for the bus at this address now.
  func delivers(for bus: UInt) -> Bool { channel != 0 && storage.pointee.bus.load(ordering: .relaxed) == bus }

  var entry: UInt64 { storage.pointee.entries.load(ordering: .acquiring) }

  /// The stay of a thread in a channel, from one entry until it leaves.
  struct Visit: Sendable {
    let record: HazardRecord
    let entry: UInt64

    var isOver: Bool { record.channel == 0 || record.entry != entry }
  }
}

/// What a thread delivers after the event that it is delivering.
enum DeferredDelivery {
  /// An event that a handler posted, or one for a subscriber that must catch up first.
  case delivery(PendingDelivery, after: CatchUp?)
  /// The replay of a subscription that a handler made.
  case catchUp(Subscriber, Channel)
}
