/// Subscribers in the order in which they are called: by priority, then by registration.
struct SubscriberList<E: Event>: Sendable {
  /// A subscriber and its place among those of equal priority.
  struct Entry: Sendable {
    let subscriber: Subscriber<E>
    let registration: UInt64

    func precedes(_ other: Entry) -> Bool {
      (other.subscriber.priority, registration) < (subscriber.priority, other.registration)
    }
  }

  private(set) var entries: ContiguousArray<Entry> = []

  mutating func insert(_ entry: Entry) {
    var place = entries.endIndex
    while place > 0, entry.precedes(entries[place - 1]) { place -= 1 }
    entries.insert(entry, at: place)
  }

  /// Whether the subscriber was here.
  mutating func remove(_ subscriber: Subscriber<E>) -> Bool {
    guard let place = entries.firstIndex(where: { $0.subscriber === subscriber }) else { return false }
    entries.remove(at: place)
    return true
  }

  /// Both lists as one, in calling order.
  func merged(with other: SubscriberList) -> SubscriberList {
    if other.entries.isEmpty { return self }
    if entries.isEmpty { return other }
    var merged = SubscriberList()
    merged.entries.reserveCapacity(entries.count + other.entries.count)
    var mine = entries[...]
    var others = other.entries[...]
    while let first = mine.first, let second = others.first {
      merged.entries.append(first.precedes(second) ? mine.removeFirst() : others.removeFirst())
    }
    merged.entries += mine
    merged.entries += others
    return merged
  }
}
