import Synchronization

extension Channel {
  /// Stores an event for replay, puts it into the mailboxes and selects the inline subscribers. All of this is one
  /// step, so all subscribers see the same order. For a post inside a handler, the step determines the event's position
  /// before the step's effects can post.
  ///
  /// - Parameter delivery: the record of this post's delivery, or nil inside a handler.
  /// - Returns: the inline subscribers to call, and the number of subscribers that accepted the event in a mailbox or
  ///   for a later call.
  @usableFromInline
  func fill(
    _ delivery: HazardRecord?, key findKey: () -> SubscriberSet?, make: (SubscriberSet?) -> Envelope
  ) -> (unkeyed: Snapshot, keyed: Snapshot, accepted: Int) {
    while true {
      let envelope = make(findKey())
      let filled = locked { effects -> (Snapshot, Snapshot, Int)? in
        // The key was looked up without the lock, so its set may have been removed since then.
        if let key = envelope.key, key.isRetired { return nil }
        if replay > 0 { keepForReplay(envelope, &effects) }
        fill(envelope, &effects)
        let (unkeyed, keyed) = (everybody.inlineArray.snapshot, envelope.key?.inlineArray.snapshot ?? .empty)
        if delivery == nil { effects.accepted += deliverLater(envelope, unkeyed, keyed) }
        if replay > 0, let current = delivery ?? core.currentDelivery {
          catchUp(everybody.catchingUp, envelope, in: current, &effects)
          if let key = envelope.key { catchUp(key.catchingUp, envelope, in: current, &effects) }
        }
        return (unkeyed, keyed, effects.accepted)
      }
      if let filled { return filled }
    }
  }

  /// Adds an event to the only mailbox's burst if the post requires nothing else. Returns the number of subscribers
  /// that accepted the event, or 0 if the post requires more work and nothing was done.
  @usableFromInline
  func appendToBurst(make: () -> Envelope, store: (UnsafeMutableRawPointer) -> Void) -> Int {
    if onlyGroup.load(ordering: .relaxed) == nil { return 0 }
    return locked { effects in
      onlyGroup.load(ordering: .relaxed)?._withUnsafeGuaranteedRef { group in
        group.unmanagedMailbox._withUnsafeGuaranteedRef {
          $0.append(to: group, &effects, make: make, store: store)
        }
        return group.array.live
      } ?? 0
    }
  }

  private func fill(_ envelope: Envelope, _ effects: inout Effects) {
    for group in everybody.groups { send(envelope, group, envelope.key?.group(of: group.mailbox), &effects) }
    everybody.streams.forEachLive { offer(envelope, to: $0, &effects) }
    guard let key = envelope.key else { return }
    for group in key.groups where everybody.group(of: group.mailbox) == nil { send(envelope, group, nil, &effects) }
    key.streams.forEachLive { offer(envelope, to: $0, &effects) }
  }

  private func send(
    _ envelope: Envelope, _ group: MailboxGroup, _ keyed: MailboxGroup?, _ effects: inout Effects
  ) {
    var limited: [Subscriber] = []
    if group.limited + (keyed?.limited ?? 0) > 0 {
      for group in [group, keyed] { group?.array.forEachLive { if $0.limit != nil { limited.append($0) } } }
    }
    let delivery = PendingDelivery(
      envelope: envelope, unkeyed: group.array.snapshot, keyed: keyed?.array.snapshot ?? .empty,
      claims: limited.isEmpty ? nil : Claims(group.mailbox))
    let takers = group.array.live + (keyed?.array.live ?? 0)
    group.mailbox.append(delivery, takers: takers, limited: limited, &effects)
  }

  /// Delivers the event, after the replay, to subscribers that are catching up.
  private func catchUp(
    _ subscribers: ContiguousArray<Subscriber>, _ envelope: Envelope, in delivery: HazardRecord,
    _ effects: inout Effects
  ) {
    for subscriber in subscribers where subscriber.isActive {
      guard let catchUp = subscriber.catchUp else { continue }
      effects.accepted += 1
      // A thread that is running a handler of another bus must not wait.
      if !catchUp.append(envelope, posterCanWait: delivery == HazardRegistry.shared.root) {
        deliverLater(envelope, Snapshot(SubscriberBuffer(subscriber)), .empty, in: delivery, after: catchUp)
      }
    }
  }

  @usableFromInline
  func inlineSnapshots(_ key: Unmanaged<SubscriberSet>?) -> (Snapshot, Snapshot) {
    let keyed = key?._withUnsafeGuaranteedRef { $0.inline.load(ordering: .sequentiallyConsistent) }
    return (
      Snapshot(everybody.inline.load(ordering: .sequentiallyConsistent)?.takeUnretainedValue()),
      Snapshot(keyed?.takeUnretainedValue())
    )
  }

  /// Returns the storage for an event whose subscribers are the same as those of the previous post on this thread.
  @usableFromInline
  func slotInBurst(_ unkeyed: Snapshot, _ keyed: Snapshot) -> UnsafeMutableRawPointer? {
    guard keyed.count == 0, case .delivery(let last, nil) = core.currentDelivery?.storage.pointee.waiting.last,
      last.envelope.channel === self, last.keyed.count == 0, last.unkeyed.buffer === unkeyed.buffer,
      last.unkeyed.count == unkeyed.count
    else { return nil }
    return last.envelope.append()
  }

  /// Defers an event until this thread has delivered the current one. Returns the number of handlers to call later.
  @usableFromInline
  func deliverLater(_ envelope: Envelope, _ unkeyed: Snapshot, _ keyed: Snapshot) -> Int {
    let accepted = unkeyed.live + keyed.live
    guard accepted > 0, let delivery = core.currentDelivery else { return 0 }
    deliverLater(envelope, unkeyed, keyed, in: delivery)
    return accepted
  }

  private func deliverLater(
    _ envelope: Envelope, _ unkeyed: Snapshot, _ keyed: Snapshot, in delivery: HazardRecord,
    after catchUp: CatchUp? = nil
  ) {
    core.idle.add()
    delivery.deliverLater(
      .delivery(PendingDelivery(envelope: envelope, unkeyed: unkeyed, keyed: keyed, claims: nil), after: catchUp))
  }
}
