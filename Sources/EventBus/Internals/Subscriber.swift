public import Synchronization

/// The handler in an object of its own: calling it through a constant of a class counts no reference, and it can be
/// released while lists still hold the subscriber.
@usableFromInline
final class Handler<E: Event>: Sendable {
  @usableFromInline let call: @Sendable (E) throws -> Void

  @inlinable
  init(_ call: @escaping @Sendable (E) throws -> Void) { self.call = call }
}

/// One registration.
///
/// Unchecked because of what the channel's lock guards: the group and the catch-up list.
@usableFromInline
final class Subscriber: @unchecked Sendable {
  /// The number of the channel and that of the registration: later ones are greater.
  @usableFromInline let ticket: UInt64
  @usableFromInline let isLive = Atomic<Bool>(true)
  /// A ``Handler`` of the channel's event type. Only to be touched by a thread that is in the channel and has seen
  /// ``isLive`` since.
  @usableFromInline let handler: UnsafeRawPointer
  @usableFromInline let priority: Int
  @usableFromInline let fileID: StaticString
  @usableFromInline let line: UInt

  /// Where the events wait; nil for an inline subscriber and for a stream.
  let lane: Lane?
  let stream: StreamMailbox?
  let bound: LaneBound?
  /// Alive as long as the subscriber is in it.
  unowned(unsafe) let roster: Roster
  private let dropCount = Atomic<Int>(0)

  /// Under the channel's lock: the list of the lane that it is in.
  @exclusivity(unchecked) unowned(unsafe) var group: LaneGroup?
  /// Under the channel's lock: what an inline subscriber must still be given before it joins the others.
  @exclusivity(unchecked) var catchUp: Fifo<Envelope>?

  /// Takes over the handler.
  init(
    _ channel: Channel, _ roster: Roster, _ handler: Unmanaged<AnyObject>, lane: Lane?, stream: StreamMailbox?,
    bound: LaneBound?, priority: Int, fileID: StaticString, line: UInt
  ) {
    ticket = channel.nextTicket()
    self.roster = roster
    self.handler = UnsafeRawPointer(handler.toOpaque())
    self.lane = lane
    self.stream = stream
    self.bound = bound
    self.priority = priority
    self.fileID = fileID
    self.line = line
  }

  /// Whether it is called before the other.
  @inlinable
  func precedes(_ other: Subscriber) -> Bool {
    priority == other.priority ? ticket < other.ticket : priority > other.priority
  }

  var isActive: Bool { isLive.load(ordering: .sequentiallyConsistent) }

  var dropped: Int { stream?.dropped ?? dropCount.load(ordering: .relaxed) }

  func countDrop() { dropCount.wrappingAdd(1, ordering: .relaxed) }

  /// Whether this call ended the subscription; the caller then takes it out of the channel.
  func end() -> Bool { isLive.exchange(false, ordering: .sequentiallyConsistent) }

  /// For a channel that goes away: nobody can be calling.
  func abandon() {
    if end() { takeHandler().release() }
  }

  /// For whoever has set ``isLive`` to false.
  func takeHandler() -> Unmanaged<AnyObject> { .fromOpaque(handler) }
}
