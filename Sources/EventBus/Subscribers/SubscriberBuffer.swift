public import Synchronization

/// Subscribers in calling order, in contiguous memory that other threads can read while one thread appends.
///
/// Readers see the first ``count`` elements. Appending fills the next slot and then increments the count. Elements
/// never move. Only the last element can be removed, and only while no thread can be reading it; all other changes
/// create a new buffer.
@usableFromInline
final class SubscriberBuffer: Sendable {
  @usableFromInline nonisolated(unsafe) let slots: UnsafeMutablePointer<Unmanaged<Subscriber>>
  @usableFromInline let count = Atomic<Int>(0)
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  var isFull: Bool { count.load(ordering: .relaxed) == capacity }

  convenience init(_ only: Subscriber) {
    self.init(capacity: 1)
    append(only)
  }

  deinit {
    for index in 0..<count.load(ordering: .relaxed) { slots[index].release() }
    slots.deallocate()
  }

  /// Appends a subscriber. Returns false if the buffer is full, or if the subscriber belongs before another one. Only
  /// one thread may call this method at a time.
  func appendIfLast(_ subscriber: Subscriber) -> Bool {
    let count = count.load(ordering: .relaxed)
    if count == capacity { return false }
    if count > 0, slots[count - 1]._withUnsafeGuaranteedRef({ subscriber.precedes($0) }) { return false }
    append(subscriber)
    return true
  }

  /// Appends a subscriber. The buffer must have a free slot. Only one thread may call this method at a time.
  func append(_ subscriber: Subscriber) {
    let count = count.load(ordering: .relaxed)
    (slots + count).initialize(to: .passRetained(subscriber))
    self.count.store(count + 1, ordering: .releasing)
  }
}

/// The first elements of a buffer, which it retains.
@usableFromInline
struct Snapshot: Sendable {
  static let empty = Snapshot(nil)

  let buffer: SubscriberBuffer?
  private(set) var count: Int

  init(_ buffer: SubscriberBuffer?) {
    self.buffer = buffer
    count = buffer?.count.load(ordering: .sequentiallyConsistent) ?? 0
  }

  /// Returns whether a delivery would call any subscriber. Removes cancelled subscribers from the end, so repeated
  /// calls do not become slower, and passes them to `removed`.
  mutating func findsLive(_ removed: (Subscriber) -> Void) -> Bool {
    while count > 0 {
      let last = buffer.unsafelyUnwrapped.slots[count - 1].takeUnretainedValue()
      if last.isActive { return true }
      count -= 1
      removed(last)
    }
    return false
  }
}
