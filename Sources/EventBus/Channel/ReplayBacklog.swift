/// The events that an inline subscriber receives on the subscribing thread before it joins the other inline
/// subscribers: the replay, and events posted in the meantime.
///
/// `Sendable` is unchecked, because the backlog is used only under the channel's lock.
final class ReplayBacklog: @unchecked Sendable {
  /// The list closes when it holds more than this many events, so the subscriber joins after a bounded number of
  /// events.
  private static let limit = 256

  private var waiting = RingBuffer<(envelope: Envelope, poster: HazardRecord?)>()
  /// The thread that posted the event being delivered, or nil for a replayed event.
  private(set) var poster: HazardRecord?
  /// The subscriber's index in the set's ``SubscriberSet/catchingUp`` list.
  var index = 0
  private var gates: [any Gate] = []
  private(set) var isOver = false
  private var hasBegun = false
  private var isClosed = false

  init(replay: [Envelope]) {
    for envelope in replay { waiting.append((envelope, nil)) }
  }

  /// Appends an event to the catch-up list. Returns false if the list is closed and the posting thread can wait. That
  /// thread then waits for the catch-up to end and delivers the event itself.
  ///
  /// A closed list never reopens, because otherwise a handler's next post would overtake this event. The list does not
  /// close before its first delivery, so no posting thread waits for an unrelated handler.
  func append(_ envelope: Envelope, posterCanWait: Bool) -> Bool {
    if hasBegun, waiting.count > Self.limit { isClosed = true }
    if isClosed, posterCanWait { return false }
    waiting.append((envelope, HazardRegistry.shared.root))
    return true
  }

  func next() -> Envelope? {
    hasBegun = true
    let entry = waiting.popFirst()
    poster = entry?.poster
    return entry?.envelope
  }

  /// Ends the catch-up, because the subscriber has joined the others or was cancelled. A cancelled subscriber loses the
  /// waiting events.
  func end(of subscriber: Subscriber, _ actions: inout DeferredActions) {
    isOver = true
    for entry in waiting.elements { actions.add(.discard(entry.envelope, of: subscriber)) }
    waiting = RingBuffer()
    for gate in gates { actions.add(.open(gate)) }
    gates = []
  }

  /// Returns false if the catch-up has already ended.
  func willOpen(_ gate: any Gate) -> Bool {
    if !isOver { gates.append(gate) }
    return !isOver
  }
}
