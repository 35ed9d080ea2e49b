/// Events that wait in mailboxes, on a thread that has deferred them, or for replay. Each event is stored only once, no
/// matter how many places it waits in.
///
/// Most envelopes hold one event. A burst to one mailbox or inside one handler shares an envelope, which saves
/// allocations. Otherwise, delivering an event to a queue would cost twice as much as `queue.async` instead of less
/// than a third. A burst of a million posts inside a handler would also leave 100 MiB behind, in pieces that the
/// allocator does not return to the system.
///
/// Unchecked, because the events are constant. A burst is either filled under its mailbox's lock and then owned by the
/// mailbox, or it never leaves its thread. The channel's lock guards ``sequence``.
@usableFromInline
final class Envelope: @unchecked Sendable {
  let channel: Channel
  /// The subscribers to the event's key, if the event has a key with subscribers.
  let key: SubscriberSet?
  /// The position in the replay order.
  @exclusivity(unchecked) var sequence: UInt64 = 0
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  @exclusivity(unchecked) private var count = 1
  @exclusivity(unchecked) private var delivered = 0

  /// - Parameter memory: memory for `capacity` events, of which the first is initialized. The envelope takes ownership
  ///   of it.
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

  /// Returns the address at which to store one more event, or nil if the envelope is full.
  func append() -> UnsafeMutableRawPointer? {
    guard count < capacity else { return nil }
    defer { count += 1 }
    return memory + count * channel.operations.stride
  }

  /// Delivers the event on this thread, which has entered the channel with the record. For a burst, delivers as many
  /// events as the budget allows, or a single event if there is no budget.
  func deliver(
    _ first: Run, _ second: Run, _ acceptance: Acceptance, in record: HazardRecord, within budget: TimeBudget?
  ) {
    // A burst waits in a single queue, so each event is released after its delivery. An event outside a burst may also
    // wait in another mailbox or for replay, so it is kept.
    let isBurst = capacity > 1
    let number = channel.operations.deliver(
      channel, memory + delivered * channel.operations.stride, isBurst ? count - delivered : nil, budget, first, second,
      acceptance, record)
    if isBurst { delivered += number }
  }

  var isDelivered: Bool { capacity == 1 || delivered == count }

  /// Returns the loss of all events that have not been delivered.
  func loss(of subscriber: Subscriber) -> Loss {
    let left = channel.core.isTracing ? delivered..<count : 0..<0
    let stride = channel.operations.stride
    return Loss(
      channel: channel, subscriber: subscriber, count: count - delivered,
      traced: left.map { channel.operations.event(memory + $0 * stride) })
  }

  /// Returns the event of an envelope that holds a single event.
  func event<E: Event>(_ type: E.Type) -> E { memory.assumingMemoryBound(to: type).pointee }
}

/// Events that a cancelled subscriber had accepted and will not receive.
struct Loss {
  let channel: Channel
  let subscriber: Subscriber
  let count: Int
  /// The events, if the bus has a trace.
  let traced: [any Event]

  /// Counts and traces the events. Call it with no lock held.
  func report() {
    subscriber.countDrops(count)
    for event in traced { channel.emit(.discarded, subscriber, event) }
  }
}

extension Envelope {
  /// Returns how many events fit into one envelope: few if they are large, many if they are small.
  @inlinable
  static func room<E: Event>(for type: E.Type) -> Int { max(1, min(64, 4096 / max(1, MemoryLayout<E>.stride))) }

  @inlinable
  convenience init<E: Event>(_ event: E, _ channel: Channel, key: SubscriberSet?, capacity: Int) {
    let events = UnsafeMutablePointer<E>.allocate(capacity: capacity)
    events.initialize(to: event)
    self.init(channel, key: key, events, capacity: capacity)
  }
}

/// The operations on events whose type is not known at the call site. The operations are compiled where the type is
/// known.
@usableFromInline
struct EventOperations: Sendable {
  @usableFromInline let stride: Int
  @usableFromInline
  typealias Deliver =
    @Sendable (
      Channel, UnsafeMutableRawPointer, Int?, TimeBudget?, Run, Run, Acceptance, HazardRecord
    ) -> Int

  /// Delivers the event at an address. If a count is given, delivers and releases up to that many events. The call
  /// stops early if a handler has posted or the budget is spent. Returns the number of delivered events.
  @usableFromInline let deliver: Deliver
  /// Releases the given number of events, starting at an address.
  @usableFromInline let release: @Sendable (UnsafeMutableRawPointer, Int) -> Void
  /// Returns the event at an address.
  @usableFromInline let event: @Sendable (UnsafeMutableRawPointer) -> any Event

  @inlinable
  init<E: Event>(_ type: E.Type) {
    stride = MemoryLayout<E>.stride
    deliver = { channel, memory, most, budget, first, second, acceptance, record in
      let events = memory.assumingMemoryBound(to: E.self)
      guard let most else {
        _ = channel.deliver(events.pointee, first, second, acceptance, in: record)
        return 1
      }
      var delivered = 0
      repeat {
        _ = channel.deliver(events[delivered], first, second, acceptance, in: record)
        // A thread that waits for the call to finish must not also wait for the event's deinit.
        if !_isPOD(E.self) { record.setPosition(channel.number) }
        (events + delivered).deinitialize(count: 1)
        delivered &+= 1
      } while delivered < most && !record.storage.pointee.hasWaiting && budget?.isSpent == false
      return delivered
    }
    release = { events, count in events.assumingMemoryBound(to: E.self).deinitialize(count: count) }
    event = { $0.assumingMemoryBound(to: E.self).pointee }
  }
}

/// An event on its way to the subscribers without a key and to the subscribers with its key.
struct PendingDelivery: Sendable {
  let envelope: Envelope
  private(set) var unkeyed: Snapshot
  private(set) var keyed: Snapshot
  let acceptance: Acceptance

  var claims: Claims? { acceptance.claims }

  /// Returns whether a delivery would call any handler now. Passes the cancelled subscribers that it removes to
  /// `removed`.
  mutating func findsLiveTaker(_ removed: (Subscriber) -> Void) -> Bool {
    unkeyed.findsLive(removed) || keyed.findsLive(removed)
  }

  /// Delivers one event, or as many events of a burst as the budget allows. This thread must own the record, and must
  /// not have entered a channel with it.
  func deliver(in record: HazardRecord, within budget: TimeBudget? = nil) {
    record.enter(envelope.channel.number)
    envelope.deliver(Run(unkeyed), Run(keyed), acceptance, in: record, within: budget)
    record.leave()
  }
}
