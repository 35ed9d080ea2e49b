/// The events that an inline subscriber gets on the subscribing thread before it joins the others: the replay, and events posted
/// meanwhile.
///
/// Unchecked because it is used only under the channel's lock.
final class CatchUp: @unchecked Sendable {
  /// With more events than this the list is closed, so that the subscriber joins after so many, whatever the posters do.
  private static let limit = 256

  private var waiting = RingBuffer<(envelope: Envelope, poster: HazardRecord?)>()
  /// The thread that posted the event being delivered; nil for a replayed one.
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

  /// Takes an event; false if the list is closed and the poster, which can wait, has to deliver it once this is over.
  ///
  /// It stays closed, or else a handler's next post would overtake this one. Not before the first event is delivered: nobody waits
  /// for a handler that has nothing to do with this.
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

  /// The subscriber has joined the others, or was cancelled.
  func end(_ effects: inout Effects) {
    isOver = true
    effects.release(waiting.elements.map(\.envelope))
    waiting = RingBuffer()
    for gate in gates { effects.add(.open(gate)) }
    gates = []
  }

  /// False if it is over.
  func willOpen(_ gate: any Gate) -> Bool {
    if !isOver { gates.append(gate) }
    return !isOver
  }
}
