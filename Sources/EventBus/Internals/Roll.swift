import Synchronization

/// The list of those who are registered now, and the one way to change it. Used under the channel's lock.
///
/// Registering appends; a copy is made only when the list is full or a priority is out of order. Cancelled subscribers stay in
/// the list, where they are skipped, until half of it are such.
struct Roll: Sendable {
  private(set) var list: SubscriberList?
  private(set) var live = 0

  var snapshot: Snapshot { Snapshot(list) }

  /// Adds a subscriber. A list that is replaced goes to `released`; returns whether that happened.
  mutating func insert(_ subscriber: Subscriber, _ released: inout Released) -> Bool {
    live += 1
    guard let list else {
      replace(capacity: 4, &released) { $0.append(subscriber) }
      return true
    }
    let count = list.count.load(ordering: .relaxed)
    // A list may be empty although some count as live: they were being cancelled when it was made.
    let isLast = count == 0 || !subscriber.precedes(list.slots[count - 1].takeUnretainedValue())
    if isLast, count < list.capacity {
      list.append(subscriber)
      return false
    }
    let before = self
    replace(capacity: max(4, live * 2), &released) { copy in
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
    return true
  }

  /// To be called after a subscriber of the list was cancelled. A list that is replaced goes to `released`; returns whether that
  /// happened.
  mutating func remove(_ subscriber: Subscriber, readersOf channel: UInt64, _ released: inout Released) -> Bool {
    live -= 1
    if removeLast(subscriber, readersOf: channel) {
      released.isUnread = true
      return false
    }
    guard live > 0 else {
      released.list = list.take()
      return true
    }
    guard let count = list?.count.load(ordering: .relaxed), count >= 16, live * 2 <= count else { return false }
    let before = self
    replace(capacity: live * 2, &released) { copy in before.forEachLive { copy.append($0) } }
    return true
  }

  /// Takes the subscriber out of the list, if it is the last and nobody can have counted it.
  private mutating func removeLast(_ subscriber: Subscriber, readersOf channel: UInt64) -> Bool {
    guard list?.hideLast(subscriber) == true else { return false }
    // In this order: who has counted it is still in the channel, or has left with a snapshot.
    if !FrameRegistry.shared.isAnyone(in: channel), isKnownUniquelyReferenced(&list) {
      list?.releaseHidden()
      return true
    }
    list?.showHidden()
    return false
  }

  func forEachLive(except excluded: Subscriber? = nil, _ body: (Subscriber) -> Void) {
    guard let list else { return }
    for index in 0..<list.count.load(ordering: .relaxed) {
      let subscriber = list.slots[index].takeUnretainedValue()
      if subscriber !== excluded, subscriber.isActive { body(subscriber) }
    }
  }

  private mutating func replace(capacity: Int, _ released: inout Released, _ fill: (SubscriberList) -> Void) {
    let copy = SubscriberList(capacity: capacity)
    fill(copy)
    released.list = list
    list = copy
  }
}
