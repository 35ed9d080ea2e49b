/// Waiting events: in mailboxes, deferred on a thread, or for replay. Each is stored once, wherever it waits.
///
/// Most envelopes hold one event. A burst to one mailbox or inside one handler shares an envelope, so that it
/// allocates little. Without that, an
/// event to a queue would cost twice as much as `queue.async`, instead of less than a third. A burst of a million
/// posts inside a handler would
/// leave 100 MiB behind, in pieces that the allocator does not return.
///
/// Unchecked, because the events are constant. A burst is filled under the lock of its mailbox and then belongs to
/// the mailbox, or it never
/// leaves its thread. The channel's lock guards ``sequence``.
@usableFromInline
final class Envelope: @unchecked Sendable {
  let channel: Channel
  /// The subscribers of the event's key, if it has a key with subscribers.
  let key: SubscriberSet?
  /// The position in the replay order.
  @exclusivity(unchecked) var sequence: UInt64 = 0
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  @exclusivity(unchecked) private var count = 1
  @exclusivity(unchecked) private var delivered = 0

  /// - Parameter memory: memory for this many events, with the first of them. The envelope takes ownership.
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

  /// The address for one more event, or nil if the envelope is full.
  func append() -> UnsafeMutableRawPointer? {
    guard count < capacity else { return nil }
    defer { count += 1 }
    return memory + count * channel.operations.stride
  }

  /// Delivers the event on this thread, which is in the channel with the record. For a burst, delivers as many events
  /// as the budget allows, or one
  /// without a budget.
  func deliver(_ first: Run, _ second: Run, _ claims: Claims?, in record: HazardRecord, within budget: TimeBudget?) {
    // An event that is not part of a burst may also wait elsewhere.
    let isBurst = capacity > 1
    let number = channel.operations.deliver(
      channel, memory + delivered * channel.operations.stride, isBurst ? count - delivered : nil, budget, first, second,
      claims, record)
    if isBurst { delivered += number }
  }

  var isDelivered: Bool { capacity == 1 || delivered == count }

  /// The event of an envelope with one event.
  func event<E: Event>(_ type: E.Type) -> E { memory.assumingMemoryBound(to: type).pointee }
}

extension Envelope {
  /// The number of events that share an envelope: few if they are large, many if they are small.
  @inlinable
  static func room<E: Event>(for type: E.Type) -> Int { max(1, min(64, 4096 / max(1, MemoryLayout<E>.stride))) }

  @inlinable
  convenience init<E: Event>(_ event: E, _ channel: Channel, key: SubscriberSet?, capacity: Int) {
    let events = UnsafeMutablePointer<E>.allocate(capacity: capacity)
    events.initialize(to: event)
    self.init(channel, key: key, events, capacity: capacity)
  }
}

/// The operations on events of an unknown type. Compiled where the type is known.
@usableFromInline
struct EventOperations: Sendable {
  @usableFromInline let stride: Int
  @usableFromInline
  typealias Deliver =
    @Sendable (
      Channel, UnsafeMutableRawPointer, Int?, TimeBudget?, Run, Run, Claims?, HazardRecord
    ) -> Int

  /// Delivers the event at an address. With a number, delivers and releases up to that many events, until handlers
  /// have posted or the budget is
  /// spent. Returns the number of events.
  @usableFromInline let deliver: Deliver
  /// Releases this many events at an address.
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

/// An event on its way to the subscribers without a key and to those of its key.
struct PendingDelivery: Sendable {
  let envelope: Envelope
  private(set) var unkeyed: Snapshot
  private(set) var keyed: Snapshot
  /// Nil if no mailbox with a limit is involved.
  let claims: Claims?

  /// Whether a delivery now would call a handler.
  mutating func findsLiveTaker() -> Bool { unkeyed.findsLive() || keyed.findsLive() }

  /// Delivers on this thread, which has the record and is in no channel with it: one event, or as many events of a
  /// burst as the budget allows.
  func deliver(in record: HazardRecord, within budget: TimeBudget? = nil) {
    record.enter(envelope.channel.number)
    envelope.deliver(Run(unkeyed), Run(keyed), claims, in: record, within: budget)
    record.leave()
  }
}
