public import Synchronization

extension Channel {
  /// Delivers to everybody who is registered now, and returns how many accepted the event.
  @inlinable
  final func post<E: Event>(_ event: E) -> Int {
    if needsLock.load(ordering: .acquiring) { return postUnderLock(event) }
    guard count.load(ordering: .acquiring) > 0 else { return 0 }
    guard let frame = core.beginFrame() else { return postLater(event) }
    frame.enter(number)
    let keyed = E._roster(of: event, in: opaque)
    let called = deliver(
      event, Run(everybody.inline.load(ordering: .sequentiallyConsistent)), Run(Self.inlineList(of: keyed)), nil,
      in: frame)
    leave(frame)
    core.end(frame)
    return called
  }

  @inlinable
  final var opaque: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  @inlinable
  static func inlineList(of roster: UnsafeRawPointer?) -> Unmanaged<SubscriberList>? {
    guard let roster else { return nil }
    return Unmanaged<Roster>.fromOpaque(roster)._withUnsafeGuaranteedRef {
      $0.inline.load(ordering: .sequentiallyConsistent)
    }
  }

  /// Calls the subscribers of both runs in order, on this thread, which is in the channel with `frame`. Returns how many were
  /// called.
  @inlinable
  final func deliver<E: Event>(_ event: E, _ first: Run, _ second: Run, _ tally: Tally?, in frame: Frame) -> Int {
    var called = 0
    var place = 0
    var secondPlace = 0
    while secondPlace < second.count {
      if place < first.count, first.precedes(at: place, second, at: secondPlace) {
        called &+= call(first, at: place, event, tally, frame)
        place &+= 1
      } else {
        called &+= call(second, at: secondPlace, event, tally, frame)
        secondPlace &+= 1
      }
    }
    while place < first.count {
      called &+= call(first, at: place, event, tally, frame)
      place &+= 1
    }
    return called
  }

  /// Delivers what is left of a batch; what its handlers post comes after the event that they were called for.
  @inlinable
  final func deliver<E: Event>(_ batch: TypedBatch<E>, _ first: Run, _ second: Run, in frame: Frame) -> Int {
    let events = batch.memory.assumingMemoryBound(to: E.self)
    while batch.delivered < batch.count {
      let event = (events + batch.delivered).move()
      batch.delivered &+= 1
      _ = deliver(event, first, second, nil, in: frame)
      // Who waits for the end of a call does not wait for what the end of the event does.
      if !_isPOD(E.self) { frame.move(to: number) }
      if frame.storage.pointee.hasWaiting || hasLimbo.load(ordering: .sequentiallyConsistent) {
        leave(frame)
        frame.deliverWaiting()
        frame.enter(number)
      }
    }
    return 0
  }

  @inlinable
  @inline(__always)
  final func call<E: Event>(_ run: Run, at place: Int, _ event: E, _ tally: Tally?, _ frame: Frame) -> Int {
    run.slots.unsafelyUnwrapped[place]._withUnsafeGuaranteedRef { subscriber in
      frame.move(to: subscriber.ticket)
      guard subscriber.isLive.load(ordering: .sequentiallyConsistent) else { return 0 }
      if let tally, !tally.claim(for: subscriber) { return 0 }
      do {
        try Unmanaged<Handler<E>>.fromOpaque(subscriber.handler)._withUnsafeGuaranteedRef { try $0.call(event) }
      } catch {
        return failed(subscriber, error, event)
      }
      if _slowPath(core.isTracing) {
        core.emit(.delivered, E.self, subscriber.ticket, subscriber.fileID, subscriber.line)
      }
      return 1
    }
  }

  /// Says whether the subscriber counts as called.
  @usableFromInline
  final func failed(_ subscriber: Subscriber, _ error: any Error, _ event: any Event) -> Int {
    if error is OwnerIsGone {
      cancel(subscriber)
      return 0
    }
    core.report(HandlerFailure(error: error, event: event, fileID: subscriber.fileID, line: subscriber.line))
    return 1
  }

  /// A post inside a handler of this bus on this thread.
  @inlinable
  @inline(never)
  final func postLater<E: Event>(_ event: E) -> Int {
    let audience = inSection { Audience(self, key: E._roster(of: event, in: opaque)) }
    return deliverLater(TypedEnvelope(event, self, key: nil), audience)
  }

  /// A post to a type with mailboxes or a replay.
  @inlinable
  @inline(never)
  final func postUnderLock<E: Event>(_ event: E) -> Int {
    while true {
      let key = E._retainedRoster(of: event, in: opaque).map { unsafeDowncast($0, to: Roster.self) }
      let queued = batch(key, make: { TypedBatch<E>(self) }) { batch in
        (batch.memory.assumingMemoryBound(to: E.self) + batch.count).initialize(to: event)
      }
      if queued > 0 { return queued }
      let envelope = TypedEnvelope(event, self, key: key)
      guard let audience = fillMailboxes(envelope) else { continue }
      if audience.isEmpty { return audience.queued }
      guard let frame = core.beginFrame() else { return audience.queued + deliverLater(envelope, audience) }
      frame.enter(number)
      // The thread was not yet in the channel when it took the lists: nothing else keeps them.
      let called = withExtendedLifetime(audience) {
        deliver(event, Run(audience.unkeyed), Run(audience.keyed), nil, in: frame)
      }
      leave(frame)
      core.end(frame)
      return audience.queued + called
    }
  }
}
