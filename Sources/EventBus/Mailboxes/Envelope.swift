/// Events that wait in mailboxes, on a thread that has deferred them, or for replay. Each event is stored only once, no
/// matter how many places it waits in.
///
/// Most envelopes hold one event. A burst to one mailbox or inside one handler shares an envelope, which saves
/// allocations. Otherwise, delivering an event to a queue would cost twice as much as `queue.async` instead of less
/// than a third. A burst of a million posts inside a handler would also leave 100 MiB behind, in pieces that the
/// allocator does not return to the system.
///
/// `Sendable` is unchecked, because the events are constant. A burst is either filled under its mailbox's lock and then
/// owned by the mailbox, or it never leaves its thread. The channel's lock guards ``sequence``.
@usableFromInline
final class Envelope: @unchecked Sendable {
  let caller: Caller
  /// The set of the event's key, which the envelope retains. Nil if the event has none, or its burst has no keyed
  /// subscribers.
  let key: AnyObject?
  /// The position in the replay order.
  @exclusivity(unchecked) var sequence: UInt64 = 0
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  @exclusivity(unchecked) private var count = 1
  @exclusivity(unchecked) private var delivered = 0

  /// - Parameter memory: memory for `capacity` events, of which the first is initialized. The envelope takes ownership
  ///   of it.
  @usableFromInline
  init(_ caller: Caller, key: AnyObject?, _ memory: UnsafeMutableRawPointer, capacity: Int) {
    self.caller = caller
    self.key = key
    self.memory = memory
    self.capacity = capacity
  }

  deinit {
    caller.operations.release(memory + delivered * caller.operations.stride, count - delivered)
    memory.deallocate()
  }

  /// Returns the address at which to store one more event, or nil if the envelope is full.
  func append() -> UnsafeMutableRawPointer? {
    guard count < capacity else { return nil }
    defer { count += 1 }
    return memory + count * caller.operations.stride
  }

  /// Delivers the event on this thread, which has entered the channel with the record. For a burst, delivers as many
  /// events as the budget allows, or a single event if there is no budget. A post inside a handler also ends the call, so
  /// that its event is delivered next.
  func deliver(
    _ first: Run, _ second: Run, _ acceptance: Acceptance, in record: HazardRecord, within budget: TimeBudget?
  ) {
    // A burst waits in a single queue, so each event is released after its delivery. An event outside a burst may also
    // wait in another mailbox or for replay, so it is kept.
    let isBurst = capacity > 1
    // This closure, which `EventOperations.init` creates, passes each event to `Caller.deliver`.
    let number = caller.operations.deliver(
      caller, memory + delivered * caller.operations.stride, isBurst ? count - delivered : nil, budget, first, second,
      acceptance, record)
    if isBurst { delivered += number }
  }

  var isDelivered: Bool { capacity == 1 || delivered == count }

  /// Returns the loss of all events that have not been delivered.
  func loss(of subscriber: Subscriber) -> Loss {
    let left = caller.core.isTracing ? delivered..<count : 0..<0
    let stride = caller.operations.stride
    return Loss(
      caller: caller, subscriber: subscriber, count: count - delivered,
      traced: left.map { caller.operations.event(memory + $0 * stride) })
  }

  /// Returns the event of an envelope that holds a single event.
  func event<E: Event>(_ type: E.Type) -> E { memory.assumingMemoryBound(to: type).pointee }
}

/// Events that a cancelled subscriber had accepted and will not receive.
struct Loss {
  let caller: Caller
  let subscriber: Subscriber
  let count: Int
  /// The events, if the bus has a trace.
  let traced: [any Event]

  /// Counts and traces the events. Call it with no lock held.
  func report() {
    subscriber.countDrops(count)
    for event in traced { caller.emit(.discarded, subscriber, event) }
  }
}

extension Envelope {
  /// Returns how many events fit into one envelope: few if they are large, many if they are small.
  @inlinable
  static func room<E: Event>(for type: E.Type) -> Int { max(1, min(64, 4096 / max(1, MemoryLayout<E>.stride))) }

  @inlinable
  convenience init<E: Event>(_ event: E, _ caller: Caller, key: AnyObject?, capacity: Int) {
    let events = UnsafeMutablePointer<E>.allocate(capacity: capacity)
    events.initialize(to: event)
    self.init(caller, key: key, events, capacity: capacity)
  }
}

/// An event on its way to the subscribers without a key and to the subscribers with its key.
struct PendingDelivery: Sendable {
  let envelope: Envelope
  private(set) var unkeyed: Snapshot
  private(set) var keyed: Snapshot
  let acceptance: Acceptance

  var recipients: PendingRecipients? { acceptance.recipients }

  /// Returns whether a delivery would call any handler now. Passes the cancelled subscribers that it removes to
  /// `removed`.
  mutating func findsLiveTaker(_ removed: (Subscriber) -> Void) -> Bool {
    unkeyed.findsLive(removed) || keyed.findsLive(removed)
  }

  /// Delivers one event, or as many events of a burst as the budget allows. This thread must own the record, and must
  /// not have entered a channel with it.
  func deliver(in record: HazardRecord, within budget: TimeBudget? = nil) {
    record.enter(envelope.caller.number)
    envelope.deliver(Run(unkeyed), Run(keyed), acceptance, in: record, within: budget)
    record.leave()
  }
}
