import Synchronization

extension Channel {
  func newest(in set: SubscriberSet) -> Envelope? { locked { _ in set.replay.last } }

  /// Stores an event for replay. Requires the lock.
  func keepForReplay(_ envelope: Envelope, _ key: SubscriberSet?, _ actions: inout DeferredActions) {
    kept += 1
    envelope.sequence = kept
    keep(envelope, in: everybody, &actions)
    if let key { keep(envelope, in: key, &actions) }
  }

  private func keep(_ envelope: Envelope, in set: SubscriberSet, _ actions: inout DeferredActions) {
    set.replay.append(envelope)
    if set.replay.count > replay, let oldest = set.replay.popFirst() { actions.release(oldest) }
  }

  /// Removes all replayed events and returns them, oldest first.
  func forgetAll() -> [Envelope] {
    locked { actions in
      var forgotten: [ObjectIdentifier: Envelope] = [:]
      for set in sets {
        for envelope in set.replay.elements { forgotten[ObjectIdentifier(envelope)] = envelope }
        set.replay = RingBuffer()
        index?.removeIfEmpty(set, in: self, &actions)
      }
      return forgotten.values.sorted { $0.sequence < $1.sequence }
    }
  }

  /// Removes the events of one key, including from the replay for subscribers without a key.
  func forget(_ key: SubscriberSet) -> [Envelope] {
    locked { actions in
      let older = everybody.replay.removeAll { $0.key === key }
      let forgotten = key.replay.elements
      actions.release(older)
      key.replay = RingBuffer()
      index?.removeIfEmpty(key, in: self, &actions)
      return forgotten
    }
  }
}

extension Channel {
  /// Stores an event for replay, puts it into the mailboxes and selects the inline subscribers. All of this is one
  /// step, so all subscribers see the same order. For a post inside a handler, the step determines the event's position
  /// before the step's actions can post.
  ///
  /// - Parameter own: the record of this post's delivery, or nil inside a handler of this bus.
  /// - Returns: the inline subscribers to call, and the number of subscribers that accepted the event in a mailbox or
  ///   for a later call.
  @usableFromInline
  func lockedStep(
    _ own: HazardRecord?, key findKey: () -> SubscriberSet?, make: (SubscriberSet?) -> Envelope
  ) -> (unkeyed: Snapshot, keyed: Snapshot, accepted: Int) {
    while true {
      let key = findKey()
      let envelope = make(key)
      let result = locked { actions -> (Snapshot, Snapshot, Int)? in
        // The key was looked up without the lock, so its set may have been removed since then.
        if let key, key.isRetired { return nil }
        sortInline(&actions)
        if replay > 0 { keepForReplay(envelope, key, &actions) }
        fillMailboxes(with: envelope, key, &actions)
        let (unkeyed, keyed) = (everybody.inlineArray.snapshot, key?.inlineArray.snapshot ?? .empty)
        if own == nil, let current = core.recordOfDelivery {
          actions.accepted += queueNested(envelope, unkeyed, keyed, inlineCount(key), in: current)
        }
        if replay > 0, let current = own ?? core.recordOfDelivery {
          catchUp(everybody.catchingUp, envelope, in: current, &actions)
          if let key { catchUp(key.catchingUp, envelope, in: current, &actions) }
        }
        return (unkeyed, keyed, actions.accepted)
      }
      if let result { return result }
    }
  }

  /// Adds an event to the only mailbox's burst if the post requires nothing else. Returns the number of subscribers
  /// that accepted the event, or 0 if the post requires more work and nothing was done. Uses no hazard record, because it
  /// reads the lists only under the lock.
  @usableFromInline
  func appendToBurst(make: () -> Envelope, store: (UnsafeMutableRawPointer) -> Void) -> Int {
    if onlyGroup.load(ordering: .relaxed) == nil { return 0 }
    return locked { actions in
      onlyGroup.load(ordering: .relaxed)?._withUnsafeGuaranteedRef { group in
        group.unmanagedMailbox._withUnsafeGuaranteedRef { mailbox in
          mailbox.append(
            of: self, changes: changes, &actions,
            make: { actions in
              PendingDelivery(
                envelope: make(), unkeyed: group.sorted(&actions), keyed: .empty,
                acceptance: Acceptance(recipients: nil, changes: changes))
            }, store: store)
        }
        return group.array.live
      } ?? 0
    }
  }

  private func fillMailboxes(with envelope: Envelope, _ key: SubscriberSet?, _ actions: inout DeferredActions) {
    for group in everybody.groups { send(envelope, group, key?.group(of: group.mailbox), &actions) }
    everybody.streams.forEachLive { offer(envelope, to: $0.registration, &actions) }
    guard let key else { return }
    for group in key.groups where everybody.group(of: group.mailbox) == nil { send(envelope, group, nil, &actions) }
    key.streams.forEachLive { offer(envelope, to: $0.registration, &actions) }
  }

  private func send(
    _ envelope: Envelope, _ group: MailboxGroup, _ keyed: MailboxGroup?, _ actions: inout DeferredActions
  ) {
    var limited: [Subscriber] = []
    if group.limited + (keyed?.limited ?? 0) > 0 {
      for group in [group, keyed] { group?.array.forEachLive { if $0.limit != nil { limited.append($0) } } }
    }
    let pending = PendingDelivery(
      envelope: envelope, unkeyed: group.sorted(&actions), keyed: keyed?.sorted(&actions) ?? .empty,
      acceptance: Acceptance(recipients: limited.isEmpty ? nil : PendingRecipients(), changes: changes))
    let takers = group.array.live + (keyed?.array.live ?? 0)
    group.mailbox.append(pending, takers: takers, limited: limited, &actions)
  }

  /// Lets subscribers that still receive their replay receive the event after it.
  private func catchUp(
    _ subscribers: ContiguousArray<Registration>, _ envelope: Envelope, in record: HazardRecord,
    _ actions: inout DeferredActions
  ) {
    for subscriber in subscribers where subscriber.isActive {
      guard let backlog = subscriber.backlog else { continue }
      actions.accepted += 1
      // A thread that is running a handler of another bus must not wait.
      if !backlog.append(envelope, posterCanWait: record == HazardRegistry.shared.root) {
        queueNested(envelope, Snapshot(SubscriberBuffer(subscriber)), .empty, .byAll, in: record, after: backlog)
      }
    }
  }

  /// The number of inline subscribers that accept an event with this key. Requires the lock.
  private func inlineCount(_ key: SubscriberSet?) -> Int { everybody.inlineArray.live + (key?.inlineArray.live ?? 0) }

  /// Defers an event until this thread has delivered the current one. Stores the event together with the previous one
  /// if that was posted on this thread to the same subscribers. Returns the number of handlers to call later. The
  /// calling thread must be in the channel.
  @usableFromInline
  func deliverLater(
    _ key: Unmanaged<SubscriberSet>?, make: () -> Envelope, store: (UnsafeMutableRawPointer) -> Void
  ) -> Int {
    guard let record = core.recordOfDelivery else { return 0 }
    return locked { actions in
      sortInline(&actions)
      let key = key?.takeUnretainedValue()
      if let key, key.inlineArray.live > 0 {
        return queueNested(
          make(), everybody.inlineArray.snapshot, key.inlineArray.snapshot, inlineCount(key), in: record)
      }
      if let slot = slotInBurst(record) {
        store(slot)
        return everybody.inlineArray.live
      }
      return queueNested(make(), everybody.inlineArray.snapshot, .empty, inlineCount(nil), in: record)
    }
  }

  /// Returns the storage for an event without keyed subscribers if the previous post on this thread had the same
  /// subscribers.
  private func slotInBurst(_ record: HazardRecord) -> UnsafeMutableRawPointer? {
    guard case .delivery(let last, nil) = NestedPosts.last(of: record), last.envelope.caller === self,
      last.acceptance.changes == changes, last.keyed.count == 0
    else { return nil }
    return last.envelope.append()
  }

  private func queueNested(
    _ envelope: Envelope, _ unkeyed: Snapshot, _ keyed: Snapshot, _ accepted: Int, in record: HazardRecord
  ) -> Int {
    guard accepted > 0 else { return 0 }
    queueNested(envelope, unkeyed, keyed, Acceptance(recipients: nil, changes: changes), in: record)
    return accepted
  }

  private func queueNested(
    _ envelope: Envelope, _ unkeyed: Snapshot, _ keyed: Snapshot, _ acceptance: Acceptance, in record: HazardRecord,
    after backlog: ReplayBacklog? = nil
  ) {
    core.inFlight.add()
    let pending = PendingDelivery(envelope: envelope, unkeyed: unkeyed, keyed: keyed, acceptance: acceptance)
    NestedPosts.add(.delivery(pending, after: backlog.map { ($0, self) }), to: record)
  }
}
