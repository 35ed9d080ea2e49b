/// What a post has to finish once it holds no lock.
struct PostedWork: Sendable {
  /// How many mailboxes took the event.
  var accepted = 0
  /// Most posts wake one lane at most.
  private var lane: Lane?
  private var rest: Rest?

  private struct Rest: Sendable {
    var lanes: [Lane] = []
    var handed: [(reader: UnsafeContinuation<Envelope?, Never>, envelope: Envelope)] = []
    var droppedBy: [Subscriber] = []
    /// To let go of: their contents may run code.
    var evicted: [Envelope] = []
    var unwanted: [Parcel] = []
  }

  mutating func send(_ parcel: consuming Parcel, to lane: Lane, unbounded: Int, bounded: [Subscriber]) {
    if bounded.isEmpty {
      accepted += unbounded
      if lane.append(parcel) { wake(lane) }
      return
    }
    let outcome = lane.append(parcel, unbounded: unbounded, bounded: bounded)
    accepted += outcome.accepted
    for subscriber in outcome.droppedBy { subscriber.countDrop() }
    if outcome.mustWake { wake(lane) }
    note {
      $0.unwanted += outcome.released
      $0.droppedBy += outcome.droppedBy
    }
  }

  private mutating func wake(_ lane: Lane) {
    if self.lane == nil { self.lane = lane } else { note { $0.lanes.append(lane) } }
  }

  mutating func offer(_ envelope: Envelope, to subscriber: Subscriber) {
    switch subscriber.stream?.offer(envelope) {
    case .taken: accepted += 1
    case .replaced(let oldest):
      accepted += 1
      if let oldest { release(oldest) }
      note { $0.droppedBy.append(subscriber) }
    case .handed(let reader):
      accepted += 1
      note { $0.handed.append((reader, envelope)) }
    case .refused: note { $0.droppedBy.append(subscriber) }
    case .over, nil: break
    }
  }

  mutating func release(_ envelope: Envelope) { note { $0.evicted.append(envelope) } }

  private mutating func note(_ change: (inout Rest) -> Void) {
    var rest = self.rest.take() ?? Rest()
    change(&rest)
    self.rest = rest
  }

  /// Wakes those who wait for the event, and says what was dropped.
  func complete(_ channel: Channel) {
    lane?.wake()
    guard let rest else { return }
    for lane in rest.lanes { lane.wake() }
    for (reader, envelope) in rest.handed { reader.resume(returning: envelope) }
    guard channel.core.isTracing else { return }
    for subscriber in rest.droppedBy { channel.emit(.dropped, subscriber) }
  }
}
