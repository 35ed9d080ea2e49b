/// What a post has to finish once it holds no lock.
struct PostedWork<E: Event>: Sendable {
  /// How many mailboxes took the event.
  var accepted = 0
  var handed: [UnsafeContinuation<E?, Never>] = []
  var lanes: [Lane] = []
  var droppedBy: [Subscriber<E>] = []
  /// Events and parcels to let go of: their contents may run code.
  var released: [any Sendable] = []

  mutating func add(_ outcome: Lane.Outcome, _ lane: Lane) {
    accepted += outcome.accepted
    if outcome.mustWake { lanes.append(lane) }
    released += outcome.released as [any Sendable]
  }

  mutating func offer(_ event: E, to subscriber: Subscriber<E>) {
    switch subscriber.stream?.offer(event) {
    case .taken: accepted += 1
    case .replaced(let oldest):
      accepted += 1
      if let oldest { released.append(oldest) }
      droppedBy.append(subscriber)
    case .handed(let reader):
      accepted += 1
      handed.append(reader)
    case .refused: droppedBy.append(subscriber)
    case .over, nil: break
    }
  }

  /// Wakes those who wait for the event, and says what was dropped.
  func complete(_ event: E?, _ core: BusCore) {
    for reader in handed { reader.resume(returning: event) }
    for lane in lanes { lane.wake() }
    guard core.isTracing else { return }
    for subscriber in droppedBy {
      core.emit(.dropped, E.self, subscriber.ticket, subscriber.fileID, subscriber.line)
    }
  }
}
