import Synchronization

/// A post whose mailboxes are filled.
@usableFromInline
struct Filled: Sendable {
  @usableFromInline let envelope: Envelope
  /// Those that are to be called inline.
  @usableFromInline let unkeyed: Snapshot
  @usableFromInline let keyed: Snapshot
  /// How many mailboxes took the event.
  @usableFromInline var accepted = 0
  /// A subscriber that the poster waits for at the end.
  var behind: CatchUp?

  @usableFromInline var isBehind: Bool { behind != nil }
}

extension Channel {
  /// Keeps an event for replay and puts it into the mailboxes, all in one step, so that they see one order.
  @usableFromInline
  func fill(
    mayWait: Bool, key findKey: () -> SubscriberSet?, make: (SubscriberSet?) -> Envelope
  ) -> Filled {
    while true {
      let envelope = make(findKey())
      let filled = locked { effects -> Filled? in
        // The key is looked up without the lock, so its set may be gone.
        if let key = envelope.key, key.isRetired { return nil }
        if replay > 0 { keepForReplay(envelope, &effects) }
        fill(envelope, &effects)
        var filled = Filled(
          envelope: envelope, unkeyed: everybody.inlineArray.snapshot,
          keyed: envelope.key?.inlineArray.snapshot ?? .empty)
        catchUp(envelope, &filled, &effects)
        filled.accepted = effects.accepted
        if !mayWait { filled.behind = nil }
        return filled
      }
      if let filled { return filled }
    }
  }

  /// Puts an event into the burst of a mailbox, if that is all there is to do. Returns how many accepted it; 0 if there is more to
  /// do and nothing has happened.
  @usableFromInline
  func appendToBurst(make: () -> Envelope, store: (UnsafeMutableRawPointer) -> Void) -> Int {
    // A look without the lock, to spare other types one.
    guard hasOnlyGroup.load(ordering: .relaxed) else { return 0 }
    var accepted = 0
    let woken: Mailbox? = lock.withLock { _ in
      guard let group = onlyGroup else { return nil }
      // Mailboxes are referred to weakly, which makes counting references to them slow.
      return group._withUnsafeGuaranteedRef { group in
        accepted = group.array.live
        return group.unmanagedMailbox._withUnsafeGuaranteedRef { mailbox in
          mailbox.append(to: group, make: make, store: store) ? mailbox : nil
        }
      }
    }
    woken?.wake()
    return accepted
  }

  private func fill(_ envelope: Envelope, _ effects: inout Effects) {
    for group in everybody.groups {
      guard let mailbox = group.mailbox else { continue }
      send(envelope, mailbox, group, envelope.key?.group(of: mailbox), &effects)
    }
    everybody.streams.forEachLive { offer(envelope, to: $0, &effects) }
    guard let key = envelope.key else { return }
    for group in key.groups {
      guard let mailbox = group.mailbox, everybody.group(of: mailbox) == nil else { continue }
      send(envelope, mailbox, group, nil, &effects)
    }
    key.streams.forEachLive { offer(envelope, to: $0, &effects) }
  }

  private func send(
    _ envelope: Envelope, _ mailbox: Mailbox, _ group: MailboxGroup, _ keyed: MailboxGroup?,
    _ effects: inout Effects
  ) {
    let takers = group.array.live + (keyed?.array.live ?? 0)
    let limitedTakers = group.limited.live + (keyed?.limited.live ?? 0)
    let claims = limitedTakers == 0 ? nil : Claims(mailbox)
    let delivery = PendingDelivery(
      envelope: envelope, unkeyed: group.array.snapshot, keyed: keyed?.array.snapshot ?? .empty, claims: claims)
    guard let claims else { return mailbox.append(delivery, takers: takers, &effects) }
    var limited: [Subscriber] = []
    group.limited.forEachLive { limited.append($0) }
    keyed?.limited.forEachLive { limited.append($0) }
    mailbox.append(delivery, claims, unlimited: takers - limitedTakers, limited: limited, &effects)
  }

  /// Lets subscribers that are being given their replay have the event after it.
  private func catchUp(_ envelope: Envelope, _ filled: inout Filled, _ effects: inout Effects) {
    for set in [everybody, envelope.key] {
      set?.catchingUp.forEach { subscriber in
        guard subscriber.isActive, let catchUp = subscriber.catchUp else { return }
        catchUp.append(envelope)
        effects.accepted += 1
        if catchUp.isFull { filled.behind = catchUp }
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

  /// Where to store an event that waits for the same subscribers as the one posted before it on this thread.
  @usableFromInline
  func placeInBurst(_ unkeyed: Snapshot, _ keyed: Snapshot) -> UnsafeMutableRawPointer? {
    guard keyed.count == 0, case .delivery(let last) = core.currentDelivery?.storage.pointee.waiting.last,
      last.envelope.channel === self, last.keyed.count == 0, last.unkeyed.buffer === unkeyed.buffer,
      last.unkeyed.count == unkeyed.count
    else { return nil }
    return last.envelope.append()
  }

  /// Lets an event wait until this thread has delivered the current one. Returns how many will be called.
  @usableFromInline
  func deliverLater(_ envelope: Envelope, _ unkeyed: Snapshot, _ keyed: Snapshot) -> Int {
    let accepted = unkeyed.live + keyed.live
    guard accepted > 0, let delivery = core.currentDelivery else { return 0 }
    core.idle.add()
    delivery.deliverLater(
      .delivery(PendingDelivery(envelope: envelope, unkeyed: unkeyed, keyed: keyed, claims: nil)))
    return accepted
  }
}
