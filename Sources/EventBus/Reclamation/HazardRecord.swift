public import Synchronization

/// The state that one thread publishes about its delivery.
///
/// One thread publishes its position in a record, and cancelling threads read it. Before a thread reads a list of
/// subscribers, it publishes the list's channel; before it calls a subscriber, it publishes the subscriber. The record
/// knows both only by their numbers. This protocol prevents the release of any object that the thread may still use
/// (``RetireList``), and tells a thread that waits for a call which thread makes that call. Both publications are
/// sequentially consistent stores, each followed by a load of the value that the cancelling thread stores first.
/// Therefore at least one of the two threads sees the other's store.
///
/// `Sendable` is unchecked, because a record is an address. The record's memory is never freed, and each field is
/// either atomic or used only by the thread that owns the record.
@usableFromInline
struct HazardRecord: Equatable, @unchecked Sendable {
  @usableFromInline
  struct Storage: ~Copyable {
    // Fields for the owning thread. The thread sanitizer attributes a change of any field to the first one, so the
    // first field must not be one that other threads read.

    /// The work that waits for the end of the current event. Created on first use.
    var deferred: DeferredWork?
    @usableFromInline var hasDeferred = false
    /// The record for what the thread does while this one is in use: posts to another bus, and sections. Created on first use.
    var inner: HazardRecord?
    /// The buses whose hook for unhandled events this thread is running. Only the outermost record has this list.
    var reportingUnhandled: [ObjectIdentifier] = []

    /// The previously created record. Constant after publication.
    var previous: HazardRecord?

    // Fields that all threads access.

    /// The address of the ``BusCore`` that is delivering, or ``HazardRecord/section``, or 0 while the record is free. The address is
    /// stored before ``position``, which publishes it.
    @usableFromInline let bus = Atomic<UInt>(0)
    /// The subscription ID of the subscriber being called, the number of the channel being read, or 0 outside a
    /// channel.
    @usableFromInline let position = Atomic<UInt64>(0)
    /// The number of times that the thread has entered a channel. The count distinguishes successive deliveries in the
    /// same channel.
    @usableFromInline let entries = Atomic<UInt64>(0)
    /// The changes of ``position`` that some thread is waiting for.
    @usableFromInline let awaited = Atomic<UInt8>(0)
  }

  /// A bit of ``Storage/awaited``: some thread is waiting for a call to end.
  @usableFromInline static var call: UInt8 { 1 }
  /// A bit of ``Storage/awaited``: some thread is waiting for this one to leave the channel.
  static var leave: UInt8 { 2 }
  /// A value of ``Storage/bus``: the thread only reads lists and delivers nothing with this record.
  static var section: UInt { 1 }

  @usableFromInline let storage: UnsafeMutablePointer<Storage>

  /// Publishes that the thread has entered a channel. Everything that the thread subsequently reads in the channel
  /// stays alive until the thread leaves.
  @inlinable
  func enter(_ channel: UInt64) {
    // Release ordering is needed because a thread that sees the next entry assumes that the previous delivery has
    // ended.
    storage.pointee.entries.store(storage.pointee.entries.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    storage.pointee.position.store(channel, ordering: .sequentiallyConsistent)
  }

  /// Publishes the subscriber that the thread will call next, or with the number of a channel, that it calls none.
  @inlinable
  func setPosition(_ subscriptionID: UInt64) {
    storage.pointee.position.store(subscriptionID, ordering: .sequentiallyConsistent)
    if storage.pointee.awaited.load(ordering: .sequentiallyConsistent) & Self.call != 0 { wakeWaiters() }
  }

  /// Publishes that the thread has left the channel.
  @inlinable
  func leave() {
    storage.pointee.position.store(0, ordering: .sequentiallyConsistent)
    if storage.pointee.awaited.load(ordering: .sequentiallyConsistent) != 0 { wakeWaiters() }
  }

  @usableFromInline
  func wakeWaiters() { HazardRegistry.shared.wakeWaiters(for: self) }

  /// Performs the deferred work, including work that is added in the meantime.
  @usableFromInline
  func performDeferred() {
    storage.pointee.deferred?.perform(in: self)
    storage.pointee.hasDeferred = false
  }
}

/// The work of a thread after its current event. Only the thread that owns the record uses it.
class DeferredWork {
  /// Performs all work in the order in which it was added. Subclasses have the work, and override this method.
  func perform(in record: HazardRecord) {}
}

extension HazardRecord {
  /// The bits of a position that hold the channel's number. The other 40 bits number the channel's subscribers.
  static let channelBits: UInt64 = ~0 << 40

  /// The number of the channel that the thread is in, or 0 if it is in no channel.
  var channel: UInt64 { storage.pointee.position.load(ordering: .sequentiallyConsistent) & Self.channelBits }

  func isIn(_ channel: UInt64) -> Bool { self.channel == channel }

  func isAt(_ subscriptionID: UInt64) -> Bool {
    storage.pointee.position.load(ordering: .sequentiallyConsistent) == subscriptionID
  }

  /// Returns whether the thread is delivering for the bus at this address.
  func delivers(for bus: UInt) -> Bool { channel != 0 && storage.pointee.bus.load(ordering: .relaxed) == bus }

  var entry: UInt64 { storage.pointee.entries.load(ordering: .acquiring) }

  /// One visit of a thread to a channel, from entering to leaving.
  struct Visit: Sendable {
    let record: HazardRecord
    let entry: UInt64

    var isOver: Bool { record.channel == 0 || record.entry != entry }
  }
}

/// The numbers of the living channels of the process, each of which is unique.
///
/// A number has 24 bits, so it is reused when its channel is released. At that time, no thread is in the channel and no
/// token of its subscriptions exists.
enum ChannelNumbers {
  /// The number that a channel has in a ``HazardRecord``, which is never 0, and the last registration with this number.
  /// Registrations continue where the previous channel ended, so a trace never repeats a subscription's identity.
  struct Entry: Sendable {
    let number: UInt64
    var registrations: UInt64
  }

  private struct State {
    var made: UInt64 = 0
    var unused: [Entry] = []
  }

  private static let most: UInt64 = (1 << 24) - 1
  private static let state = Locked(State())

  static func take() -> Entry {
    state.withLock { state in
      if let entry = state.unused.popLast() { return entry }
      if state.made == most { fatalError("The buses of this process have more than \(most) event types in total.") }
      state.made += 1
      return Entry(number: state.made << 40, registrations: 0)
    }
  }

  static func giveBack(_ entry: Entry) { state.withLock { $0.unused.append(entry) } }
}
