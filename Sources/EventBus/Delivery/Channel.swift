/// All that the bus knows of one type of event.
///
/// Unchecked only because it is subclassed: every stored property is a constant and sendable.
class Channel<E: Event>: @unchecked Sendable {
  let core: BusCore
  private let state = Locked(State())

  struct State: Sendable {
    var unkeyed = SubscriberList<E>()
    var registrations: UInt64 = 0
    var count = 0

    mutating func entry(for subscriber: Subscriber<E>) -> SubscriberList<E>.Entry {
      registrations += 1
      count += 1
      return .init(subscriber: subscriber, registration: registrations)
    }
  }

  init(_ core: BusCore) { self.core = core }

  final var count: Int { state.withLock { $0.count } }

  final func add(_ subscriber: Subscriber<E>) {
    state.withLock { $0.unkeyed.insert($0.entry(for: subscriber)) }
  }

  final func remove(_ subscriber: Subscriber<E>) {
    state.withLock { state in
      if state.unkeyed.remove(subscriber) || removeKeyed(subscriber) { state.count -= 1 }
    }
  }

  /// Gives the subscriber its place in the order, for the table of a subclass. `insert` runs under the channel's lock.
  final func register(_ subscriber: Subscriber<E>, _ insert: (SubscriberList<E>.Entry) -> Void) {
    state.withLock { insert($0.entry(for: subscriber)) }
  }

  /// Takes the subscriber out of the table of a subclass. Runs under the channel's lock.
  func removeKeyed(_ subscriber: Subscriber<E>) -> Bool { false }

  /// Delivers to everybody who is registered now, and returns how many they are.
  func post(_ event: E) -> Int { post(event, keyed: { SubscriberList() }) }

  /// Delivers to those without a key and to those that `keyed` returns. `keyed` runs under the channel's lock.
  final func post(_ event: E, keyed: () -> SubscriberList<E>) -> Int {
    var wakes: [Lane] = []
    let (inline, accepted) = state.withLock { state in
      let audience = Audience(state.unkeyed.merged(with: keyed()))
      // Into the mailboxes under the channel's lock: so all of them see the events of this type in one order.
      for (lane, subscribers) in audience.queued {
        let isFirst = lane.append { core in subscribers.forEach { $0.deliver(event, reportingTo: core) } }
        if isFirst { wakes.append(lane) }
      }
      return (audience.inline, audience.count)
    }
    wakes.forEach { $0.wake() }
    if !inline.isEmpty {
      InlineTurn.deliver(core) { [core] in inline.forEach { $0.deliver(event, reportingTo: core) } }
    }
    return accepted
  }
}

/// The subscribers of one event, by where they are called.
private struct Audience<E: Event> {
  var inline: ContiguousArray<Subscriber<E>> = []
  var queued: [(lane: Lane, subscribers: ContiguousArray<Subscriber<E>>)] = []
  let count: Int

  init(_ list: SubscriberList<E>) {
    count = list.entries.count
    for entry in list.entries {
      guard let lane = entry.subscriber.lane else {
        inline.append(entry.subscriber)
        continue
      }
      if let place = queued.firstIndex(where: { $0.lane === lane }) {
        queued[place].subscribers.append(entry.subscriber)
      } else {
        queued.append((lane, [entry.subscriber]))
      }
    }
  }
}
