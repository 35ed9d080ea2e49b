public import Synchronization

/// The state that one thread publishes about its delivery.
///
/// One thread writes a record, and cancelling threads read it. Before a thread reads a list of subscribers, it
/// publishes the channel; before it
/// calls a subscriber, it publishes the subscriber. So no object that it may still use is released (``RetireList``),
/// and
/// ``Subscription/cancelAndWait()`` knows which calls to wait for. Both are sequentially consistent stores, each
/// followed by a load of the
/// value that the cancelling thread stores first. So at least one of the two threads sees the other.
///
/// Unchecked, because it is an address. Its memory is never freed, and is atomic or used only by the thread that owns
/// the record.
@usableFromInline
struct HazardRecord: Equatable, @unchecked Sendable {
  @usableFromInline
  struct Storage: ~Copyable {
    // For the owning thread. It is the first field, because the thread sanitizer takes a change of any variable for
    // one of the first.

    /// Posts made meanwhile, which are delivered after the present event.
    var waiting = RingBuffer<DeferredDelivery>()
    @usableFromInline var hasWaiting = false
    /// For a handler that posts to another bus. Created at the first use.
    var inner: HazardRecord?
    /// The buses whose hook for unhandled events this thread is running. Only the outermost record has them.
    var reportingUnhandled: [ObjectIdentifier] = []

    /// The previously created record. Constant after publication.
    var previous: HazardRecord?

    // For all threads.

    /// The address of the delivering bus, ``HazardRecord/section``, or 0 while the record is free. Stored before
    /// ``position``, which publishes it.
    @usableFromInline let bus = Atomic<UInt>(0)
    /// The subscription ID of the subscriber being called, or the number of the channel being read, or 0 outside.
    @usableFromInline let position = Atomic<UInt64>(0)
    /// The number of times that the thread has entered a channel. It distinguishes two deliveries in the same channel.
    @usableFromInline let entries = Atomic<UInt64>(0)
    /// The changes of ``position`` for which a thread waits.
    @usableFromInline let awaited = Atomic<UInt8>(0)
  }

  /// In ``Storage/awaited``: a thread waits for the end of a call.
  @usableFromInline static var call: UInt8 { 1 }
  /// In ``Storage/awaited``: a thread waits until the thread leaves the channel.
  static var leave: UInt8 { 2 }
  /// In ``Storage/bus``: the thread only reads lists, and delivers nothing with this record.
  static var section: UInt { 1 }

  @usableFromInline let storage: UnsafeMutablePointer<Storage>

  /// Publishes that the thread is in a channel. Everything that it reads there later stays alive until it leaves.
  @inlinable
  func enter(_ channel: UInt64) {
    // Release ordering, because a thread that sees the next entry assumes that the previous delivery is done.
    storage.pointee.entries.store(storage.pointee.entries.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    storage.pointee.position.store(channel, ordering: .sequentiallyConsistent)
  }

  /// Publishes the subscriber that the thread calls next.
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

  /// Defers an action until the thread has delivered the present event.
  func deliverLater(_ delivery: DeferredDelivery) {
    storage.pointee.waiting.append(delivery)
    storage.pointee.hasWaiting = true
  }

  /// Runs deferred actions, including posts made meanwhile, in the order of the posts.
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
  /// The number of the channel that the thread is in, or 0 outside.
  var channel: UInt64 { storage.pointee.position.load(ordering: .sequentiallyConsistent) & Channel.numberBits }

  func isIn(_ channel: UInt64) -> Bool { self.channel == channel }

  func isAt(_ subscriptionID: UInt64) -> Bool {
    storage.pointee.position.load(ordering: .sequentiallyConsistent) == subscriptionID
  }

  /// Whether the thread delivers for the bus at this address.
  func delivers(for bus: UInt) -> Bool { channel != 0 && storage.pointee.bus.load(ordering: .relaxed) == bus }

  var entry: UInt64 { storage.pointee.entries.load(ordering: .acquiring) }

  /// One stay of a thread in a channel, from an entry until it leaves.
  struct Visit: Sendable {
    let record: HazardRecord
    let entry: UInt64

    var isOver: Bool { record.channel == 0 || record.entry != entry }
  }
}

/// The actions after the present event.
enum DeferredDelivery {
  /// An event that a handler posted, or an event for a subscriber that must catch up first.
  case delivery(PendingDelivery, after: CatchUp?)
  /// The replay of a subscription that a handler made.
  case catchUp(Subscriber, Channel)
}
