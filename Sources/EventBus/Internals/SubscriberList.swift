public import Synchronization

/// Subscribers in calling order, in one piece of memory that others may read while one thread appends.
///
/// Readers see the first ``count``; appending fills the next place and then counts it. Nothing is ever moved or taken out:
/// that makes a new list.
@usableFromInline
final class SubscriberList<E: Event>: Sendable {
  @usableFromInline nonisolated(unsafe) let slots: UnsafeMutablePointer<Unmanaged<Subscriber<E>>>
  @usableFromInline let count = Atomic<Int>(0)
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  deinit {
    for index in 0..<count.load(ordering: .relaxed) { slots[index].release() }
    slots.deallocate()
  }

  /// One thread at a time, with room left.
  func append(_ subscriber: Subscriber<E>) {
    let count = count.load(ordering: .relaxed)
    (slots + count).initialize(to: .passRetained(subscriber))
    self.count.store(count + 1, ordering: .releasing)
  }
}

/// The first so many subscribers of a list: what a post has to call. Valid while the list is.
@usableFromInline
struct Run<E: Event> {
  @usableFromInline let slots: UnsafeMutablePointer<Unmanaged<Subscriber<E>>>?
  @usableFromInline let count: Int

  @inlinable
  init(_ list: Unmanaged<SubscriberList<E>>?) {
    guard let list else {
      slots = nil
      count = 0
      return
    }
    (slots, count) = list._withUnsafeGuaranteedRef { ($0.slots, $0.count.load(ordering: .acquiring)) }
  }

  init(_ snapshot: Snapshot<E>) {
    slots = snapshot.list?.slots
    count = snapshot.count
  }

  @inlinable
  func withSubscriber<Result>(at index: Int, _ body: (Subscriber<E>) -> Result) -> Result {
    slots.unsafelyUnwrapped[index]._withUnsafeGuaranteedRef(body)
  }
}

/// A run that keeps its list alive.
struct Snapshot<E: Event>: Sendable {
  let list: SubscriberList<E>?
  let count: Int

  init(_ list: SubscriberList<E>?) {
    self.list = list
    count = list?.count.load(ordering: .acquiring) ?? 0
  }
}
