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

  /// Calls the subscribers of both runs in order on this thread, which has entered the channel with `record`. Returns
  /// the number of calls. The acceptance is nil for an event that did not wait.
  @inlinable
  func deliver<E: Event>(
    _ event: E, _ first: Run, _ second: Run, _ acceptance: Acceptance?, in record: HazardRecord
  ) -> Int {
    var called = 0
    var index = 0
    var secondIndex = 0
    while secondIndex < second.count {
      if index < first.count, first.precedes(at: index, second, at: secondIndex) {
        called &+= call(first, at: index, event, acceptance, record)
        index &+= 1
      } else {
        called &+= call(second, at: secondIndex, event, acceptance, record)
        secondIndex &+= 1
      }
    }
    while index < first.count {
      called &+= call(first, at: index, event, acceptance, record)
      index &+= 1
    }
    return called
  }

  @inlinable
  @inline(__always)
  func call<E: Event>(
    _ run: Run, at index: Int, _ event: E, _ acceptance: Acceptance?, _ record: HazardRecord
  ) -> Int {
    run.slots.unsafelyUnwrapped[index]._withUnsafeGuaranteedRef { subscriber in
      record.setPosition(subscriber.subscriptionID)
      guard subscriber.isLive.load(ordering: .sequentiallyConsistent) else {
        if let acceptance { skip(subscriber, event, acceptance) }
        return 0
      }
      if let claims = acceptance?.claims, !claims.claim(for: subscriber) { return 0 }
      if _slowPath(core.isTracing) { return callTraced(subscriber, event, acceptance) }
      do {
        try Unmanaged<Handler<E>>.fromOpaque(subscriber.handler)._withUnsafeGuaranteedRef { try $0.call(event) }
      } catch {
        return failed(subscriber, error, event, acceptance)
      }
      return 1
    }
  }

  /// Calls a subscriber and traces the call. This code is separate so that the untraced call needs only one branch for
  /// tracing.
  @inlinable
  @inline(never)
  func callTraced<E: Event>(_ subscriber: Subscriber, _ event: E, _ acceptance: Acceptance?) -> Int {
    emit(.delivering, subscriber, event)
    do {
      try Unmanaged<Handler<E>>.fromOpaque(subscriber.handler)._withUnsafeGuaranteedRef { try $0.call(event) }
    } catch {
      return failed(subscriber, error, event, acceptance)
    }
    emit(.delivered, subscriber, event)
    return 1
  }

  /// Handles an error that a call threw. Returns 1 if the handler ran, or 0 if it did not.
  @usableFromInline
  func failed(
    _ subscriber: Subscriber, _ error: any Error, _ event: any Event, _ acceptance: Acceptance?
  ) -> Int {
    var error = error
    if let end = error as? EndOfSubscription {
      cancel(subscriber)
      switch end {
      case .unused:
        if acceptance != nil { discard(event, of: subscriber) }
        return 0
      case .used:
        if core.isTracing { emit(.delivered, subscriber, event) }
        return 1
      case .failed(let reason): error = reason
      }
    }
    if core.isTracing { emit(.failed, subscriber, event) }
    core.report(HandlerFailure(error: error, event: event, fileID: subscriber.fileID, line: subscriber.line))
    return 1
  }

  /// Skips a cancelled subscriber, which loses the event if it had accepted it.
  @usableFromInline
  @inline(never)
  func skip<E: Event>(_ subscriber: Subscriber, _ event: E, _ acceptance: Acceptance) {
    guard acceptance.includes(cancelled: subscriber), acceptance.claims?.claim(for: subscriber) != false else { return }
    discard(event, of: subscriber)
  }

  /// Counts and traces the loss of an event that a subscriber had accepted.
  func discard<E: Event>(_ event: E, of subscriber: Subscriber) {
    subscriber.countDrops()
    if core.isTracing { emit(.discarded, subscriber, event) }
  }

  func discard(_ envelope: Envelope, of subscriber: Subscriber) { envelope.loss(of: subscriber).report() }

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
