/// What a post has to finish once it holds no lock.
struct PostedWork: Sendable {
  /// How many mailboxes took the event.
  var accepted = 0
  private var handed: [(reader: UnsafeContinuation<Envelope?, Never>, envelope: Envelope)] = []
  private var lanes: [Lane] = []
  private var droppedBy: [Subscriber] = []
  /// To let go of: their contents may run code.
  private var evicted: [Envelope] = []
  private var unwanted: [Parcel] = []

  mutating func send(_ parcel: Parcel, to lane: Lane, unbounded: Int, bounded: [Subscriber]) {
    let outcome = lane.append(parcel, unbounded: unbounded, bounded: bounded) { subscriber in
      subscriber.countDrop()
      droppedBy.append(subscriber)
    }
    accepted += outcome.accepted
    if outcome.mustWake { lanes.append(lane) }
    unwanted += outcome.released
  }

  mutating func offer(_ envelope: Envelope, to subscriber: Subscriber) {
    switch subscriber.stream?.offer(envelope) {
    case .taken: accepted += 1
    case .replaced(let oldest):
      accepted += 1
      if let oldest { evicted.append(oldest) }
      droppedBy.append(subscriber)
    case .handed(let reader):
      accepted += 1
      handed.append((reader, envelope))
    case .refused: droppedBy.append(subscriber)
    case .over, nil: break
    }
  }

  mutating func release(_ envelope: Envelope) { evicted.append(envelope) }

  /// Wakes those who wait for the event, and says what was dropped.
  func complete(_ channel: Channel) {
    for (reader, envelope) in handed { reader.resume(returning: envelope) }
    for lane in lanes { lane.wake() }
    guard channel.core.isTracing else { return }
    for subscriber in droppedBy { channel.emit(.dropped, subscriber) }
  }
}
