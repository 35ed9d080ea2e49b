/// Events that have to wait: in mailboxes, for their turn on a thread, or to be replayed. Stored once, wherever they wait.
///
/// Most hold one event. A burst to one mailbox shares an envelope, so that it allocates little: without that, an event to a queue
/// costs three times as much as `queue.async`, and not a third.
///
/// All that the bus does with it between the post and the call needs no knowledge of the type.
///
/// Unchecked because the events are constant, except for a burst: that is filled under the lock of its mailbox, and then
/// the mailbox's alone. ``sequence`` is guarded by the channel's lock.
@usableFromInline
final class Envelope: @unchecked Sendable {
  /// What is compiled where the type is known.
  @usableFromInline
  struct Operations: Sendable {
    @usableFromInline typealias Deliver =
      @Sendable (Channel, UnsafeMutableRawPointer, Int?, Run, Run, Claims?, HazardRecord) -> Int
    let stride: Int
    /// Delivers the event at an address. If there is a number, it delivers and releases up to so many, until handlers have
    /// posted. Returns how many.
    let deliver: Deliver
    /// Releases so many events at an address.
    let release: @Sendable (UnsafeMutableRawPointer, Int) -> Void

    @usableFromInline
    init(stride: Int, deliver: @escaping Deliver, release: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Void) {
      self.stride = stride
      self.deliver = deliver
      self.release = release
    }
  }

  let channel: Channel
  /// The subscribers to the event's key, if it has one and somebody has subscribed to it.
  let key: SubscriberSet?
  /// The place in the order of what is kept for replay.
  @exclusivity(unchecked) var sequence: UInt64 = 0
  @usableFromInline let memory: UnsafeMutableRawPointer
  private let capacity: Int
  private let operations: Operations
  @exclusivity(unchecked) private var count = 1
  @exclusivity(unchecked) private var delivered = 0

  /// Takes over memory in which the first event is.
  @usableFromInline
  init(
    _ channel: Channel, key: SubscriberSet?, _ memory: UnsafeMutableRawPointer, capacity: Int, _ operations: Operations
  ) {
    self.channel = channel
    self.key = key
    self.memory = memory
    self.capacity = capacity
    self.operations = operations
  }

  deinit {
    operations.release(memory + delivered * operations.stride, count - delivered)
    memory.deallocate()
  }

  /// Where one more event is to be stored; nil if there is no room.
  func append() -> UnsafeMutableRawPointer? {
    guard count < capacity else { return nil }
    defer { count += 1 }
    return memory + count * operations.stride
  }

  /// Delivers the event, or the next of a burst, on this thread, which is in the channel with the record. Returns how many were
  /// delivered.
  func deliver(_ first: Run, _ second: Run, _ claims: Claims?, in record: HazardRecord, atMost limit: Int) -> Int {
    // An event that is not of a burst may also wait elsewhere.
    let isBurst = capacity > 1
    let number = operations.deliver(
      channel, memory + delivered * operations.stride, isBurst ? min(limit, count - delivered) : nil, first, second,
      claims, record)
    if isBurst { delivered += number }
    return number
  }

  var isDelivered: Bool { capacity == 1 || delivered == count }
}

extension Envelope {
  /// So many events share an envelope: a few if they are big, many if they are small.
  @inlinable
  static func room<E: Event>(for type: E.Type) -> Int { max(1, min(64, 4096 / MemoryLayout<E>.stride)) }

  @inlinable
  convenience init<E: Event>(_ event: E, _ channel: Channel, key: SubscriberSet?, capacity: Int) {
    let events = UnsafeMutablePointer<E>.allocate(capacity: capacity)
    events.initialize(to: event)
    self.init(
      channel, key: key, events, capacity: capacity,
      Operations(
        stride: MemoryLayout<E>.stride,
        deliver: { channel, memory, limit, first, second, claims, record in
          let events = memory.assumingMemoryBound(to: E.self)
          guard let limit else {
            _ = channel.deliver(events.pointee, first, second, claims, in: record)
            return 1
          }
          var delivered = 0
          while delivered < limit, !record.storage.pointee.hasWaiting {
            _ = channel.deliver(events[delivered], first, second, claims, in: record)
            // A thread that waits for the end of the call does not wait for the deinit of the event.
            if !_isPOD(E.self) { record.move(to: channel.number) }
            (events + delivered).deinitialize(count: 1)
            delivered &+= 1
          }
          return delivered
        },
        release: { events, count in events.assumingMemoryBound(to: E.self).deinitialize(count: count) }))
  }

  /// The event of an envelope that holds one.
  func event<E: Event>(_ type: E.Type) -> E { memory.assumingMemoryBound(to: type).pointee }
}
