public import Synchronization

/// What a token needs to know of a subscriber.
protocol AnySubscriber: AnyObject, Sendable {
  var isActive: Bool { get }
  var dropped: Int { get }
  func cancel()
  func cancelAndWait()
}

/// The handler in an object of its own: calling it through a constant of a class counts no reference, and it can be
/// released while lists still hold the subscriber.
@usableFromInline
final class Handler<E: Event>: Sendable {
  @usableFromInline let call: @Sendable (E) throws -> Void

  init(_ call: @escaping @Sendable (E) throws -> Void) { self.call = call }
}

/// One registration.
///
/// Unchecked because of what the channel's lock guards: the ticket, written before others see the subscriber, and the catch-up
/// list.
@usableFromInline
final class Subscriber<E: Event>: AnySubscriber, @unchecked Sendable {
  /// The number of the channel and that of the registration: later ones are greater.
  @usableFromInline private(set) var ticket: UInt64 = 0
  @usableFromInline let isLive = Atomic<Bool>(true)
  /// Only to be touched by a thread that is in the channel and has seen ``isLive`` since.
  @usableFromInline let handler: Unmanaged<Handler<E>>
  @usableFromInline let priority: Int
  @usableFromInline let fileID: StaticString
  @usableFromInline let line: UInt

  let lane: Lane?
  let stream: StreamMailbox<E>?
  let bound: LaneBound?
  /// Alive as long as the subscriber is in it.
  unowned let roster: Roster<E>
  private weak let channel: Channel<E>?
  private let dropCount = Atomic<Int>(0)

  /// Under the channel's lock: the list of the lane that it is in.
  unowned var group: LaneGroup<E>?
  /// Under the channel's lock: what an inline subscriber must still be given before it joins the others.
  var catchUp: Fifo<E>?

  init(
    _ channel: Channel<E>, _ roster: Roster<E>, lane: Lane?, stream: StreamMailbox<E>? = nil, bound: LaneBound? = nil,
    priority: Int, fileID: StaticString, line: UInt, _ handler: @escaping @Sendable (E) throws -> Void
  ) {
    self.channel = channel
    self.roster = roster
    self.lane = lane
    self.stream = stream
    self.bound = bound
    self.priority = priority
    self.fileID = fileID
    self.line = line
    self.handler = .passRetained(Handler(handler))
  }

  /// Under the channel's lock, before anybody else sees the subscriber.
  func register(_ ticket: UInt64) { self.ticket = ticket }

  /// Whether it is called before the other.
  @inlinable
  func precedes(_ other: Subscriber) -> Bool {
    priority == other.priority ? ticket < other.ticket : priority > other.priority
  }

  var isActive: Bool { isLive.load(ordering: .sequentiallyConsistent) }

  var dropped: Int { stream?.dropped ?? dropCount.load(ordering: .relaxed) }

  func countDrop() { dropCount.wrappingAdd(1, ordering: .relaxed) }

  func cancel() {
    guard isLive.exchange(false, ordering: .sequentiallyConsistent) else { return }
    if let channel { channel.remove(self) } else { handler.release() }
  }

  /// For a channel that goes away: nobody can be calling.
  func abandon() {
    if isLive.exchange(false, ordering: .sequentiallyConsistent) { handler.release() }
  }

  func cancelAndWait() {
    cancel()
    guard let channel else { return }
    FrameRegistry.shared.waitForCalls(of: ticket) { channel.core.runtime.gate() }
  }

  /// Says what happened to the event that the handler threw at, and whether it was called at all.
  @usableFromInline
  func failed(_ error: any Error, _ event: E, _ core: BusCore) -> Int {
    if error is OwnerIsGone {
      cancel()
      return 0
    }
    core.report(HandlerFailure(error: error, event: event, fileID: fileID, line: line))
    return 1
  }
}
