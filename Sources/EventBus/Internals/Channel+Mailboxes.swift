import Synchronization

extension Channel {
  /// Keeps an event for replay and puts it into the mailboxes, all in one step, so that they see one order. Returns who is to be
  /// called inline; nil if the roster of the key was retired meanwhile and nothing has happened.
  @usableFromInline
  final func fillMailboxes(_ envelope: Envelope) -> Audience? {
    var work = PostedWork()
    var audience: Audience? = lock.withLock { _ in
      if let key = envelope.key, key.isRetired { return nil }
      keepForReplay(envelope, &work)
      fill(everybody, envelope.key, envelope, &work)
      return Audience(everybody.inlineRoll.snapshot, envelope.key?.inlineRoll.snapshot ?? Snapshot(nil))
    }
    work.complete(self)
    audience?.queued = work.accepted
    return audience
  }

  /// Puts an event into the batch of a lane, if that is all there is to do: nobody else is subscribed, and nothing is replayed.
  /// Returns how many accepted it; 0 if there is more to do and nothing has happened.
  @usableFromInline
  final func batch(_ key: Roster?, make: () -> Batch, store: (Batch) -> Void) -> Int {
    guard mayBatch(key) else { return 0 }
    var accepted = 0
    let lane: Lane? = lock.withLock { _ in
      guard let group = onlyGroup(key) else { return nil }
      return group._withUnsafeGuaranteedRef { group in
        accepted = group.roll.live
        return group.lane.append(to: group, make: make, store: store) ? group.lane : nil
      }
    }
    lane?.wake()
    return accepted
  }

  /// A look without the lock, to spare the others one.
  private final func mayBatch(_ key: Roster?) -> Bool {
    if replay > 0 { return false }
    guard let key else { return everybody.onlyGroup.load(ordering: .relaxed) != nil }
    return key.onlyGroup.load(ordering: .relaxed) != nil
  }

  private final func onlyGroup(_ key: Roster?) -> Unmanaged<LaneGroup>? {
    guard let key else { return everybody.onlyGroup.load(ordering: .relaxed) }
    return everybody.isDeserted && !key.isRetired ? key.onlyGroup.load(ordering: .relaxed) : nil
  }

  private final func keepForReplay(_ envelope: Envelope, _ work: inout PostedWork) {
    guard replay > 0 else { return }
    keep(envelope, in: everybody, &work)
    if let key = envelope.key { keep(envelope, in: key, &work) }
  }

  private final func keep(_ envelope: Envelope, in roster: Roster, _ work: inout PostedWork) {
    roster.replay.append(envelope)
    if roster.replay.count > replay, let oldest = roster.replay.popFirst() { work.release(oldest) }
  }

  private final func fill(_ everybody: Roster, _ key: Roster?, _ envelope: Envelope, _ work: inout PostedWork) {
    for group in everybody.groups where group.roll.live > 0 {
      send(envelope, group, key?.group(of: group.lane), &work)
    }
    offer(envelope, to: everybody, &work)
    guard let key else { return }
    for group in key.groups where group.roll.live > 0 && everybody.group(of: group.lane) == nil {
      send(envelope, group, nil, &work)
    }
    offer(envelope, to: key, &work)
  }

  private final func send(_ envelope: Envelope, _ group: LaneGroup, _ keyed: LaneGroup?, _ work: inout PostedWork) {
    let bounded = keyed.map { group.bounded + $0.bounded } ?? group.bounded
    let parcel = Parcel(
      envelope: envelope, unkeyed: group.roll.snapshot, keyed: keyed?.roll.snapshot ?? Snapshot(nil),
      tally: bounded.isEmpty ? nil : Tally(group.lane))
    work.send(
      parcel, to: group.lane, unbounded: group.roll.live + (keyed?.roll.live ?? 0) - bounded.count, bounded: bounded)
  }

  private final func offer(_ envelope: Envelope, to roster: Roster, _ work: inout PostedWork) {
    if roster.streams.live > 0 { roster.streams.forEachLive { work.offer(envelope, to: $0) } }
    for subscriber in roster.catchingUp {
      subscriber.catchUp?.append(envelope)
      work.accepted += 1
    }
  }

  /// Lets an event wait until this thread has delivered the current one. Returns how many will be called.
  @usableFromInline
  final func deliverLater(_ envelope: Envelope, _ audience: Audience) -> Int {
    let accepted = audience.unkeyed.live + audience.keyed.live
    guard accepted > 0 else { return 0 }
    guard let frame = core.currentFrame else { preconditionFailure("There is no delivery to wait for.") }
    core.idle.add()
    frame.deliverLater(
      .parcel(Parcel(envelope: envelope, unkeyed: audience.unkeyed, keyed: audience.keyed, tally: nil)))
    return accepted
  }
}

/// Who is to be called inline for an event, and how many mailboxes have it already.
@usableFromInline
struct Audience: Sendable {
  @usableFromInline let unkeyed: Snapshot
  @usableFromInline let keyed: Snapshot
  @usableFromInline var queued = 0

  @inlinable var isEmpty: Bool { unkeyed.count == 0 && keyed.count == 0 }

  init(_ unkeyed: Snapshot, _ keyed: Snapshot) {
    self.unkeyed = unkeyed
    self.keyed = keyed
  }

  /// While the thread is in the channel.
  @usableFromInline
  init(_ channel: Channel, key: UnsafeRawPointer?) {
    unkeyed = Snapshot(channel.everybody.inline.load(ordering: .sequentiallyConsistent)?.takeUnretainedValue())
    keyed = Snapshot(Channel.inlineList(of: key)?.takeUnretainedValue())
  }
}
