import Synchronization

/// Owns the buffer of the registered subscribers, and makes all changes to it. Call its methods only under the
/// channel's lock.
///
/// A new subscriber is appended to the buffer, which is copied if it is full. A subscriber whose priority requires an
/// earlier position joins the buffer only in ``sort()``, before the next post, so that many of them need one copy.
/// Cancelled subscribers stay in the buffer, where readers skip them, until they make up half of it.
struct SubscriberArray: Sendable {
  private static let least = 8

  private(set) var buffer: SubscriberBuffer?
  private(set) var live = 0
  /// The subscribers that are not in the buffer yet, in the order of their registrations.
  private var early: [Subscriber] = []

  /// The subscribers in calling order. Requires a call of ``sort()`` after the last insertion.
  var snapshot: Snapshot { Snapshot(buffer) }

  var isSorted: Bool { early.isEmpty }

  /// Adds a subscriber. Returns the replaced buffer, if any.
  mutating func insert(_ subscriber: Subscriber) -> SubscriberBuffer? {
    live += 1
    if buffer?.appendIfLast(subscriber) == true { return nil }
    early.append(subscriber)
    guard let buffer else { return sort() }
    return buffer.isFull ? sort() : nil
  }

  /// Moves all subscribers into the buffer, in calling order. Returns the replaced buffer, if any.
  mutating func sort() -> SubscriberBuffer? {
    early.isEmpty ? nil : replace(capacity: max(Self.least, live * 2))
  }

  /// Removes a cancelled subscriber from the array. Returns the replaced buffer, if any.
  mutating func remove(_ subscriber: Subscriber) -> SubscriberBuffer? {
    live -= 1
    // Without live subscribers there is nothing to sort. Cancelled ones can be left at any position.
    if live == 0 { early = [] }
    if early.last === subscriber {
      early.removeLast()
      return nil
    }
    if removeLast(subscriber) { return nil }
    guard let buffer, buffer.capacity > Self.least || !early.isEmpty else { return nil }
    if live == 0 { return self.buffer.take() }
    let count = buffer.count.load(ordering: .relaxed) + early.count
    guard count >= 16, live * 2 <= count else { return nil }
    return replace(capacity: live * 2)
  }

  /// Removes the subscriber from the buffer if it is the last one and no thread can have counted it. Without this
  /// shortcut, subscribing and cancelling among 100,000 other subscribers takes 1.2 times as long because of the
  /// copies.
  private mutating func removeLast(_ subscriber: Subscriber) -> Bool {
    guard let count = buffer?.count.load(ordering: .relaxed), count > 0, let last = buffer?.slots[count - 1],
      last.takeUnretainedValue() === subscriber
    else { return false }
    buffer?.count.store(count - 1, ordering: .sequentiallyConsistent)
    // The order of these checks matters. A thread that has counted the subscriber is either still in the channel or has
    // left with a snapshot.
    if !HazardRegistry.shared.isAnyone(in: subscriber.subscriptionID & HazardRecord.channelBits),
      isKnownUniquelyReferenced(&buffer)
    {
      last.release()
      return true
    }
    buffer?.count.store(count, ordering: .releasing)
    return false
  }

  /// Calls `body` for each subscriber that has not been removed.
  func forEachLive(_ body: (Subscriber) -> Void) {
    if let buffer {
      for index in 0..<buffer.count.load(ordering: .relaxed) {
        let subscriber = buffer.slots[index].takeUnretainedValue()
        if subscriber.isRegistered { body(subscriber) }
      }
    }
    for subscriber in early where subscriber.isRegistered { body(subscriber) }
  }

  /// Replaces the buffer by one that contains all subscribers in calling order.
  private mutating func replace(capacity: Int) -> SubscriberBuffer? {
    let copy = SubscriberBuffer(capacity: capacity)
    let sorted = early.filter(\.isRegistered).sorted { $0.precedes($1) }
    var next = 0
    early = []
    forEachLive { other in
      while next < sorted.count, sorted[next].precedes(other) {
        copy.append(sorted[next])
        next += 1
      }
      copy.append(other)
    }
    for subscriber in sorted[next...] { copy.append(subscriber) }
    defer { buffer = copy }
    return buffer
  }
}
