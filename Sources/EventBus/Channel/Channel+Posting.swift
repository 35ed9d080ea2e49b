public import Synchronization

extension Channel {
  /// Delivers an event to all registered subscribers, and returns the number of subscribers that accepted it.
  @inlinable
  func post<E: Event>(_ event: E) -> Int {
    if needsLock.load(ordering: .acquiring) { return postUnderLock(event) }
    guard count.load(ordering: .acquiring) > 0 else { return 0 }
    guard let record = core.beginDelivery() else { return postLater(event) }
    record.enter(number)
    let keyed = set(of: event, isMade: false)
    let called = deliver(
      event, Run(everybody.inline.load(ordering: .sequentiallyConsistent)), Run(inline: keyed), nil, in: record)
    record.leave()
    core.end(record)
    return called
  }

  /// Handles a post that is made inside a handler of this bus on this thread.
  @inlinable
  @inline(never)
  func postLater<E: Event>(_ event: E) -> Int {
    // The section lasts until the event is queued. Objects that are released after the section may post in their
    // deinit, and those events must come later.
    inSection {
      deliverLater(
        set(of: event, isMade: false),
        make: { Envelope(event, self, key: nil, capacity: Envelope.room(for: E.self)) },
        store: { $0.initializeMemory(as: E.self, to: event) })
    }
  }

  /// Handles a post to a type with mailboxes or a replay.
  @inlinable
  @inline(never)
  func postUnderLock<E: Event>(_ event: E) -> Int {
    let accepted = appendToBurst(
      make: { Envelope(event, self, key: nil, capacity: Envelope.room(for: E.self)) },
      store: { $0.initializeMemory(as: E.self, to: event) })
    if accepted > 0 { return accepted }
    let delivery = core.beginDelivery()
    let record = delivery ?? core.beginSection()
    record.enter(number)
    let filled = fill(
      delivery, key: { set(of: event, isMade: isReplaying)?.takeUnretainedValue() },
      make: { Envelope(event, self, key: $0, capacity: 1) })
    let called = delivery == nil ? 0 : deliver(event, Run(filled.unkeyed), Run(filled.keyed), nil, in: record)
    record.leave()
    core.end(record)
    return filled.accepted + called
  }

  @usableFromInline var isReplaying: Bool { replay > 0 }
}
