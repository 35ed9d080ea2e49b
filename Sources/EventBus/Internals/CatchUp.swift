/// The events that an inline subscriber receives on the subscribing thread before it joins the others: the replay,
/// and posts made meanwhile.
///
/// Unchecked, because it is used only under the channel's lock.
final class CatchUp: @unchecked Sendable {
  /// Above this number of events the list is closed, so that the subscriber joins after a bounded number of events.
  private static let limit = 256

  private var waiting = RingBuffer<(envelope: Envelope, poster: HazardRecord?)>()
  /// The thread that posted the event being delivered, or nil for a replayed event.
  private(set) var poster: HazardRecord?
  /// The subscriber's index among those of its set that are catching up.
  var index = 0
  private var gates: [any Gate] = []
  private(set) var isOver = false
  private var hasBegun = false
  private var isClosed = false

  init(replay: [Envelope]) {
    for envelope in replay { waiting.append((envelope, nil)) }
  }

  /// Appends an event to the catch-up list. Returns false if the list is closed and the poster can wait. The poster
  /// then waits for the catch-up
  /// to end and delivers the event itself.
  ///
  /// A closed list never reopens, because a handler's next post would overtake this event. The list does not close
  /// before its first delivery, so
  /// that no poster waits for an unrelated handler.
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

  /// Ends the catch-up: the subscriber has joined the others or was cancelled.
  func end(_ effects: inout Effects) {
    isOver = true
    effects.release(waiting.elements.map(\.envelope))
    waiting = RingBuffer()
    for gate in gates { effects.add(.open(gate)) }
    gates = []
  }

  /// False if the catch-up has ended.
  func willOpen(_ gate: any Gate) -> Bool {
    if !isOver { gates.append(gate) }
    return !isOver
  }
}
