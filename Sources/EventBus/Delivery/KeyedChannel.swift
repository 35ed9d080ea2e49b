/// The channel of an event with a key: a table beside the list of those who hear of every key.
///
/// Unchecked for the same reason as its superclass.
final class KeyedChannel<E: KeyedEvent>: Channel<E>, @unchecked Sendable {
  /// Only reached under the channel's lock; the mutex is here to show that to the compiler.
  private let table = Locked<[E.Key: SubscriberList<E>]>([:])

  func add(_ subscriber: Subscriber<E>, under key: E.Key) {
    register(subscriber) { entry in
      table.withLock { $0[key, default: SubscriberList()].insert(entry) }
    }
  }

  override func removeKeyed(_ subscriber: Subscriber<E>) -> Bool {
    guard let key = subscriber.key as? E.Key else { return false }
    return table.withLock { table in
      guard table[key]?.remove(subscriber) == true else { return false }
      if table[key]?.entries.isEmpty == true { table[key] = nil }
      return true
    }
  }

  override func post(_ event: E) -> Int {
    let key = event.key
    return post(event, keyed: { table.withLock { $0[key] } ?? SubscriberList() })
  }
}
