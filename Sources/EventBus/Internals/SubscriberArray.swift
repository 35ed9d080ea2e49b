import Synchronization

/// Owns the buffer of the registered subscribers, and makes all changes to it. Call its methods only under the
/// channel's lock.
///
/// A new subscriber is appended to the buffer. The buffer is copied only if it is full or the priority requires an
/// earlier position. Cancelled subscribers stay in the buffer, where readers skip them, until they make up half of it.
struct SubscriberArray: Sendable {
  private static let least = 8

  private(set) var buffer: SubscriberBuffer?
  private(set) var live = 0

  var snapshot: Snapshot { Snapshot(buffer) }

  /// Adds a subscriber. Returns the replaced buffer, if any.
  mutating func insert(_ subscriber: Subscriber) -> SubscriberBuffer? {
    live += 1
    if buffer?.appendIfLast(subscriber) == true { return nil }
    let before = self
    return replace(capacity: max(Self.least, live * 2)) { copy in
      var isWaiting = true
      before.forEachLive(except: subscriber) { other in
        if isWaiting, subscriber.precedes(other) {
          copy.append(subscriber)
          isWaiting = false
        }
        copy.append(other)
      }
      if isWaiting { copy.append(subscriber) }
    }
  }

  /// Removes a cancelled subscriber from the array. Returns the replaced buffer, if any.
  mutating func remove(_ subscriber: Subscriber) -> SubscriberBuffer? {
    live -= 1
    if removeLast(subscriber) { return nil }
    guard let buffer, buffer.capacity > Self.least else { return nil }
    if live == 0 { return self.buffer.take() }
    let count = buffer.count.load(ordering: .relaxed)
    guard count >= 16, live * 2 <= count else { return nil }
    let before = self
    return replace(capacity: live * 2) { copy in before.forEachLive { copy.append($0) } }
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
    if !HazardRegistry.shared.isAnyone(in: subscriber.subscriptionID & Channel.numberBits),
      isKnownUniquelyReferenced(&buffer)
    {
      last.release()
      return true
    }
    buffer?.count.store(count, ordering: .releasing)
    return false
  }

  func forEachLive(except excluded: Subscriber? = nil, _ body: (Subscriber) -> Void) {
    guard let buffer else { return }
    for index in 0..<buffer.count.load(ordering: .relaxed) {
      let subscriber = buffer.slots[index].takeUnretainedValue()
      if subscriber !== excluded, subscriber.isActive { body(subscriber) }
    }
  }

  private mutating func replace(capacity: Int, _ fill: (SubscriberBuffer) -> Void) -> SubscriberBuffer? {
    let copy = SubscriberBuffer(capacity: capacity)
    fill(copy)
    defer { buffer = copy }
    return buffer
  }
}
