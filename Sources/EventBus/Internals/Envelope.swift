/// Events that have to wait: in mailboxes, deferred on a thread, or to be replayed. Stored once, wherever they wait.
///
/// Most hold one event. A burst to one mailbox, or inside one handler, shares an envelope, so that it allocates little. Without that,
/// an event to a queue costs twice as much as `queue.async`, and not a third; and a burst of a million posts inside a handler leaves
/// 100 MiB behind, in pieces that the allocator does not give back.
///
/// Unchecked because the events are constant, except for a burst: that is filled under the lock of its mailbox, and then
/// the mailbox's alone, or it never leaves its thread. ``sequence`` is guarded by the channel's lock.
@usableFromInline
final class Envelope: @unchecked Sendable {
  let channel: Channel
  /// The subscribers to the event's key, if it has one and somebody has subscribed to it.
  let key: SubscriberSet?
  /// The position in the order of what is kept for replay.
  @exclusivity(unchecked) var sequence: UInt64 = 0
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  @exclusivity(unchecked) private var count = 1
  @exclusivity(unchecked) private var delivered = 0

  /// - Parameter memory: has room for so many events, and the first of them. The envelope takes it over.
  @usableFromInline
  init(_ channel: Channel, key: SubscriberSet?, _ memory: UnsafeMutableRawPointer, capacity: Int) {
    self.channel = channel
    self.key = key
    self.memory = memory
    self.capacity = capacity
  }

  deinit {
    channel.operations.release(memory + delivered * channel.operations.stride, count - delivered)
    memory.deallocate()
  }

  /// Where one more event is to be stored; nil if there is no room.
  func append() -> UnsafeMutableRawPointer? {
    guard count < capacity else { return nil }
    defer { count += 1 }
    return memory + count * channel.operations.stride
  }

  /// Delivers the event, or of a burst the next ones that the budget has time for, on this thread, which is in the channel with the
  /// record. Without a budget it delivers one.
  func deliver(_ first: Run, _ second: Run, _ claims: Claims?, in record: HazardRecord, within budget: TimeBudget?) {
    // An event that is not of a burst may also wait elsewhere.
    let isBurst = capacity > 1
    let number = channel.operations.deliver(
      channel, memory + delivered * channel.operations.stride, isBurst ? count - delivered : nil, budget, first, second,
      claims, record)
    if isBurst { delivered += number }
  }

  var isDelivered: Bool { capacity == 1 || delivered == count }

  /// The event of an envelope that holds one.
  func event<E: Event>(_ type: E.Type) -> E { memory.assumingMemoryBound(to: type).pointee }
}

extension Envelope {
  /// So many events share an envelope: a few if they are big, many if they are small.
  @inlinable
  static func room<E: Event>(for type: E.Type) -> Int { max(1, min(64, 4096 / max(1, MemoryLayout<E>.stride))) }

  @inlinable
  convenience init<E: Event>(_ event: E, _ channel: Channel, key: SubscriberSet?, capacity: Int) {
    let events = UnsafeMutablePointer<E>.allocate(capacity: capacity)
    events.initialize(to: event)
    self.init(channel, key: key, events, capacity: capacity)
  }
}

/// What the bus does with events whose type it does not know. Compiled where the type is known.
@usableFromInline
struct EventOperations: Sendable {
  @usableFromInline let stride: Int
  @usableFromInline
  typealias Deliver =
    @Sendable (
      Channel, UnsafeMutableRawPointer, Int?, TimeBudget?, Run, Run, Claims?, HazardRecord
    ) -> Int

  /// Delivers the event at an address. If there is a number, it delivers and releases up to so many, until handlers have posted or
  /// the budget is spent. Returns how many.
  @usableFromInline let deliver: Deliver
  /// Releases so many events at an address.
  @usableFromInline let release: @Sendable (UnsafeMutableRawPointer, Int) -> Void

  @inlinable
  init<E: Event>(_ type: E.Type) {
    stride = MemoryLayout<E>.stride
    deliver = { channel, memory, most, budget, first, second, claims, record in
      let events = memory.assumingMemoryBound(to: E.self)
      guard let most else {
        _ = channel.deliver(events.pointee, first, second, claims, in: record)
        return 1
      }
      var delivered = 0
      repeat {
        _ = channel.deliver(events[delivered], first, second, claims, in: record)
        // A thread that waits for the end of the call does not wait for the deinit of the event.
        if !_isPOD(E.self) { record.setPosition(channel.number) }
        (events + delivered).deinitialize(count: 1)
        delivered &+= 1
      } while delivered < most && !record.storage.pointee.hasWaiting && budget?.isSpent == false
      return delivered
    }
    release = { events, count in events.assumingMemoryBound(to: E.self).deinitialize(count: count) }
  }
}

/// An event on its way to subscribers: those without a key, and those of the event's key.
struct PendingDelivery: Sendable {
  let envelope: Envelope
  private(set) var unkeyed: Snapshot
  private(set) var keyed: Snapshot
  /// Nil if no mailbox with a limit is involved.
  let claims: Claims?

  /// Whether somebody would be called if it was delivered now.
  mutating func findsLiveTaker() -> Bool { unkeyed.findsLive() || keyed.findsLive() }

  /// Delivers on this thread, which has the record and is in no channel with it: one event, or those of a burst that the budget
  /// has time for.
  func deliver(in record: HazardRecord, within budget: TimeBudget? = nil) {
    record.enter(envelope.channel.number)
    envelope.deliver(Run(unkeyed), Run(keyed), claims, in: record, within: budget)
    record.leave()
  }
}
