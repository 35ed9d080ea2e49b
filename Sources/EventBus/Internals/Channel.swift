public import Synchronization

/// All that the bus knows of one type of event.
///
/// Few of its methods know the type: those that are compiled into the code that posts.
///
/// Unchecked because what is not constant is only touched under the lock, or atomic.
@usableFromInline
class Channel: @unchecked Sendable {
  @usableFromInline let core: BusCore
  @usableFromInline let type: any Event.Type
  /// How many of the newest events are kept.
  let replay: Int
  /// Stands for the channel in a ``Frame``.
  @usableFromInline let number = Ticket.forChannel()
  @usableFromInline let everybody = Roster()
  /// How many subscriptions there are, of all kinds.
  @usableFromInline let count = Atomic<Int>(0)
  /// Whether a post has more to do than calling: mailboxes to fill, or a replay to keep.
  @usableFromInline let needsLock: Atomic<Bool>
  /// Whether something in limbo waits for deliveries to end.
  @usableFromInline let hasLimbo = Atomic<Bool>(false)

  let isClosed = Atomic<Bool>(false)

  let lock = Locked(())
  private let registrations = Atomic<UInt64>(0)
  // Under the lock:
  @exclusivity(unchecked) private var mailboxes = 0
  @exclusivity(unchecked) private var limbo = Limbo()

  init(_ core: BusCore, _ type: any Event.Type) {
    self.core = core
    self.type = type
    replay = type.replay
    needsLock = Atomic(replay > 0)
  }

  deinit { for roster in allRosters { roster.abandon() } }

  /// With those of the keys.
  var allRosters: [Roster] { [everybody] }

  /// Nothing will be posted any more. Who is called inline or reads a stream is done; what is in a lane still arrives.
  final func close() {
    forgetAll()
    isClosed.store(true, ordering: .relaxed)
    var streams: [StreamMailbox] = []
    var idle: [Subscriber] = []
    lock.withLock { _ in
      for roster in allRosters {
        roster.inlineRoll.forEachLive { idle.append($0) }
        roster.streams.forEachLive { if let stream = $0.stream { streams.append(stream) } }
      }
    }
    for stream in streams { stream.close(discarding: false) }
    for subscriber in idle { cancel(subscriber) }
  }

  final func emit(_ kind: TraceEvent.Kind, _ subscriber: Subscriber) {
    core.emit(kind, type, subscriber.ticket, subscriber.fileID, subscriber.line)
  }

  // MARK: Registering

  final func nextTicket() -> UInt64 { number | registrations.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Registers a subscriber, with the replay that is due to it. False if its roster has been retired meanwhile.
  final func add(_ subscriber: Subscriber) -> Bool {
    var work = PostedWork()
    var released = Released()
    let isInline = subscriber.lane == nil && subscriber.stream == nil
    var isCatchingUp = false
    let isAdded = lock.withLock { _ in
      let roster = subscriber.roster
      if roster.isRetired { return false }
      count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      if isInline, !roster.replay.isEmpty {
        subscriber.catchUp = roster.replay
        core.idle.add()
        isCatchingUp = true
      }
      roster.insert(subscriber, &released)
      retire(&released)
      if !isInline {
        mailboxes += 1
        needsLock.store(true, ordering: .sequentiallyConsistent)
        for envelope in roster.replay.elements { sendReplay(envelope, to: subscriber, &work) }
      }
      return true
    }
    guard isAdded else { return false }
    withExtendedLifetime(released) {}
    work.complete(self)
    if core.isTracing { emit(.subscribed, subscriber) }
    if isCatchingUp { catchUp(subscriber) }
    return true
  }

  private final func sendReplay(_ envelope: Envelope, to subscriber: Subscriber, _ work: inout PostedWork) {
    guard let lane = subscriber.lane else { return work.offer(envelope, to: subscriber) }
    let alone = SubscriberList(capacity: 1)
    alone.append(subscriber)
    let isBounded = subscriber.bound != nil
    work.send(
      Parcel(envelope: envelope, unkeyed: Snapshot(alone), keyed: Snapshot(nil), tally: isBounded ? Tally(lane) : nil),
      to: lane, unbounded: isBounded ? 0 : 1, bounded: isBounded ? [subscriber] : [])
  }

  /// Ends a subscription. Any thread, any number of times.
  final func cancel(_ subscriber: Subscriber) {
    if subscriber.end() { remove(subscriber) }
  }

  /// Takes out a subscriber that was cancelled, and lets go of its handler.
  private final func remove(_ subscriber: Subscriber) {
    var released = Released(handler: subscriber.takeHandler().takeRetainedValue())
    lock.withLock { _ in
      subscriber.roster.remove(subscriber, from: number, &released)
      released.catchUp = subscriber.catchUp.take()
      count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      if subscriber.lane != nil || subscriber.stream != nil {
        mailboxes -= 1
        if mailboxes == 0 { needsLock.store(replay > 0, ordering: .sequentiallyConsistent) }
      }
      retire(&released)
    }
    withExtendedLifetime(released) {}
    if core.isTracing { emit(.cancelled, subscriber) }
    if core.idle.isWatched {
      subscriber.lane?.discardDead()
      core.checkIdle()
    }
  }

  // MARK: Replay

  final func newest(in roster: Roster) -> Envelope? { lock.withLock { _ in roster.replay.last } }

  final func forgetAll() {
    let released = lock.withLock { _ in
      allRosters.map { roster in
        defer { roster.replay = Fifo() }
        return roster.replay
      }
    }
    withExtendedLifetime(released) {}
  }

  /// Forgets the events of one key, also where they would be given to subscribers without one.
  final func forget(_ key: Roster) {
    let released = lock.withLock { _ in
      defer { key.replay = Fifo() }
      return (key.replay, everybody.replay.removeAll { $0.key === key })
    }
    withExtendedLifetime(released) {}
  }

  /// Gives an inline subscriber its replay now, or after the event that this thread is delivering for the bus.
  private final func catchUp(_ subscriber: Subscriber) {
    guard let frame = core.beginFrame() else {
      core.currentFrame?.deliverLater(.catchUp(subscriber, self))
      return
    }
    catchUp(subscriber, in: frame)
    core.end(frame)
  }

  /// Events posted meanwhile come after the replay, so this goes on until there are none left and the subscriber can join the others.
  final func catchUp(_ subscriber: Subscriber, in frame: Frame) {
    while let envelope = nextToCatchUp(subscriber) {
      let alone = SubscriberList(capacity: 1)
      alone.append(subscriber)
      Parcel(envelope: envelope, unkeyed: Snapshot(alone), keyed: Snapshot(nil), tally: nil).deliver(in: frame)
    }
    core.settle()
  }

  private final func nextToCatchUp(_ subscriber: Subscriber) -> Envelope? {
    var released = Released()
    defer { withExtendedLifetime(released) {} }
    return lock.withLock { _ in
      guard subscriber.isActive else { return nil }
      if let envelope = subscriber.catchUp?.popFirst() { return envelope }
      subscriber.roster.admit(subscriber, &released)
      retire(&released)
      return nil
    }
  }

  // MARK: Limbo

  /// Under the lock. Leaves in `released` what can be let go of at once, outside.
  final func retire(_ released: inout Released) {
    guard released.list != nil || released.handler != nil || !limbo.isEmpty else { return }
    if limbo.isEmpty, released.isUnread || !FrameRegistry.shared.isAnyone(in: number) { return }
    if let list = released.list.take() { limbo.retire(list) }
    if let handler = released.handler.take() { limbo.retire(handler) }
    collect(&released)
  }

  private final func collect(_ released: inout Released) {
    hasLimbo.store(true, ordering: .sequentiallyConsistent)
    released.others += limbo.collect(number)
    if limbo.isEmpty { hasLimbo.store(false, ordering: .sequentiallyConsistent) }
  }

  @usableFromInline
  final func emptyLimbo() {
    var released = Released()
    lock.withLock { _ in
      if !limbo.isEmpty { collect(&released) }
    }
    withExtendedLifetime(released) {}
  }

  /// Leaves the channel, and lets go of what waited for that.
  @inlinable
  final func leave(_ frame: Frame) {
    frame.leave()
    if hasLimbo.load(ordering: .sequentiallyConsistent) { emptyLimbo() }
    if core.idle.isWatched { core.checkIdle() }
  }

  /// Reads lists that are valid only while the thread is in the channel.
  @inlinable
  final func inSection<Result>(_ body: () -> Result) -> Result {
    let frame = core.beginInnerFrame()
    frame.enter(number)
    defer {
      leave(frame)
      core.end(frame)
    }
    return body()
  }
}
