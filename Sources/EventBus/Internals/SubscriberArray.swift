import Synchronization

/// The buffer of those that are registered now, and the one way to change it. Used under the channel's lock.
///
/// Registering appends; a copy is made only when the buffer is full or a priority is out of order. Cancelled subscribers stay in
/// the buffer, where they are skipped, until half of it are such.
struct SubscriberArray: Sendable {
  private static let least = 8

  private(set) var buffer: SubscriberBuffer?
  private(set) var live = 0

  var snapshot: Snapshot { Snapshot(buffer) }

  /// Adds a subscriber. Returns the buffer that was replaced, if one was.
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

  /// To be called after a subscriber of the array was cancelled. Returns the buffer that was replaced, if one was.
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

  /// Takes the subscriber out of the buffer, if it is the last and nobody can have counted it. Without that, subscribing and
  /// cancelling beside 100,000 others takes 1.2 times as long as beside none, for the copies that it makes.
  private mutating func removeLast(_ subscriber: Subscriber) -> Bool {
    guard let count = buffer?.count.load(ordering: .relaxed), count > 0, let last = buffer?.slots[count - 1],
      last.takeUnretainedValue() === subscriber
    else { return false }
    buffer?.count.store(count - 1, ordering: .sequentiallyConsistent)
    // In this order: a thread that has counted it is still in the channel, or has left with a snapshot.
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
