public import Synchronization

/// All that the bus knows of one type of event.
///
/// Unchecked because what is not constant is only touched under the lock, or atomic.
@usableFromInline
class Channel<E: Event>: AnyChannel, @unchecked Sendable {
  @usableFromInline let core: BusCore
  @usableFromInline let number = Ticket.forChannel()
  @usableFromInline let everybody = Roster<E>()
  /// How many subscriptions there are, of all kinds.
  @usableFromInline let count = Atomic<Int>(0)
  /// Whether a post has more to do than calling: mailboxes to fill, or a replay to keep.
  @usableFromInline let needsLock: Atomic<Bool>
  /// Whether something in limbo waits for deliveries to end.
  @usableFromInline let hasLimbo = Atomic<Bool>(false)

  let lock = Locked(())
  // Under the lock:
  private var registrations: UInt64 = 0
  private var mailboxes = 0
  private var limbo = Limbo()

  init(_ core: BusCore) {
    self.core = core
    needsLock = Atomic(E.replay > 0)
  }

  deinit { allRosters.forEach { $0.abandon() } }

  /// With those of the keys.
  var allRosters: [Roster<E>] { [everybody] }

  final func close() {
    let streams = lock.withLock { _ in
      var streams: [StreamMailbox<E>] = []
      for roster in allRosters { roster.streams.forEachLive { streams.append(contentsOf: $0.stream.map { [$0] } ?? []) } }
      return streams
    }
    streams.forEach { $0.close(discarding: false) }
  }

  // MARK: Delivering inline

  /// Delivers to everybody who is registered now, and returns how many accepted the event.
  @inlinable
  final func post(_ event: E) -> Int {
    if needsLock.load(ordering: .acquiring) { return postUnderLock(event) }
    guard count.load(ordering: .acquiring) > 0 else { return 0 }
    guard let frame = core.beginFrame() else { return postLater(event) }
    frame.enter(number)
    let keyed = E._roster(of: event, in: UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    let called = deliver(
      event, Run(everybody.inline.load(ordering: .sequentiallyConsistent)), Run(Self.inlineList(ofRoster: keyed)),
      in: frame)
    leave(frame)
    core.end(frame)
    return called
  }

  @inlinable
  static func inlineList(ofRoster roster: UnsafeRawPointer?) -> Unmanaged<SubscriberList<E>>? {
    guard let roster else { return nil }
    return Unmanaged<Roster<E>>.fromOpaque(roster)._withUnsafeGuaranteedRef {
      $0.inline.load(ordering: .sequentiallyConsistent)
    }
  }

  /// Calls the subscribers of both runs in order, on this thread, which is in the channel with `frame`. Returns how many were
  /// called. `parcel` is what a bounded mailbox knows the event by.
  @inlinable
  final func deliver(
    _ event: E, _ first: Run<E>, _ second: Run<E>, parcel: EventParcel<E>? = nil, in frame: Frame
  ) -> Int {
    var called = 0
    var place = 0
    var secondPlace = 0
    while secondPlace < second.count {
      let isFirst =
        place < first.count
        && first.withSubscriber(at: place) { one in
          second.withSubscriber(at: secondPlace) { one.precedes($0) }
        }
      if isFirst {
        called &+= first.withSubscriber(at: place) { call($0, event, parcel, frame) }
        place &+= 1
      } else {
        called &+= second.withSubscriber(at: secondPlace) { call($0, event, parcel, frame) }
        secondPlace &+= 1
      }
    }
    while place < first.count {
      called &+= first.withSubscriber(at: place) { call($0, event, parcel, frame) }
      place &+= 1
    }
    return called
  }

  @inlinable
  @inline(__always)
  final func call(_ subscriber: Subscriber<E>, _ event: E, _ parcel: EventParcel<E>?, _ frame: Frame) -> Int {
    frame.move(to: subscriber.ticket)
    guard subscriber.isLive.load(ordering: .sequentiallyConsistent) else { return 0 }
    if let parcel, !parcel.isFor(subscriber) { return 0 }
    do {
      try subscriber.handler._withUnsafeGuaranteedRef { try $0.call(event) }
    } catch {
      return subscriber.failed(error, event, core)
    }
    if _slowPath(core.isTracing) {
      core.emit(.delivered, E.self, subscriber.ticket, subscriber.fileID, subscriber.line)
    }
    return 1
  }

  /// Leaves the channel, and lets go of what waited for that.
  @inlinable
  final func leave(_ frame: Frame) {
    frame.leave()
    if hasLimbo.load(ordering: .sequentiallyConsistent) { emptyLimbo() }
    if core.idle.isWatched { core.checkIdle() }
  }

  /// A post inside a handler of this bus on this thread.
  @usableFromInline
  final func postLater(_ event: E) -> Int {
    guard let frame = core.currentFrame else { preconditionFailure("A post waits for no delivery.") }
    let (unkeyed, keyed) = inSection {
      let keyed = E._roster(of: event, in: opaque)
      return (Self.snapshot(everybody.inline), keyed.map { Self.snapshot(Self.roster(at: $0).inline) } ?? Snapshot(nil))
    }
    return deferDelivery(event, unkeyed, keyed, to: frame)
  }

  private final func deferDelivery(_ event: E, _ unkeyed: Snapshot<E>, _ keyed: Snapshot<E>, to frame: Frame) -> Int {
    let accepted = unkeyed.live + keyed.live
    guard accepted > 0 else { return 0 }
    core.idle.add()
    frame.deliverLater(EventParcel(event, self, unkeyed, keyed, lane: nil))
    return accepted
  }

  private static func snapshot(_ list: borrowing Atomic<Unmanaged<SubscriberList<E>>?>) -> Snapshot<E> {
    Snapshot(list.load(ordering: .sequentiallyConsistent)?.takeUnretainedValue())
  }

  private final var opaque: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  private static func roster(at address: UnsafeRawPointer) -> Roster<E> {
    Unmanaged<Roster<E>>.fromOpaque(address).takeUnretainedValue()
  }

  /// Reads lists that are valid only while the thread is in the channel.
  final func inSection<Result>(_ body: () -> Result) -> Result {
    let frame = core.beginInnerFrame()
    frame.enter(number)
    defer {
      leave(frame)
      core.end(frame)
    }
    return body()
  }

  // MARK: Delivering through mailboxes

  /// A post to a type with mailboxes or a replay.
  @usableFromInline
  final func postUnderLock(_ event: E) -> Int {
    let frame = core.beginFrame()
    frame?.enter(number)
    var key: Roster<E>?
    var work = PostedWork<E>()
    var inline = (unkeyed: Snapshot<E>(nil), keyed: Snapshot<E>(nil))
    repeat {
      key = keyRoster(of: event)
    } while !lock.withLock { _ in
      if let key, key.isRetired { return false }
      keepForReplay(event, key, &work)
      fillMailboxes(event, key, &work)
      inline = (everybody.inlineRoll.snapshot, key?.inlineRoll.snapshot ?? Snapshot(nil))
      return true
    }
    work.complete(event, core)
    guard let frame else {
      guard let current = core.currentFrame else { preconditionFailure("A post waits for no delivery.") }
      return work.accepted + deferDelivery(event, inline.unkeyed, inline.keyed, to: current)
    }
    let called = deliver(event, Run(inline.unkeyed), Run(inline.keyed), in: frame)
    leave(frame)
    core.end(frame)
    return work.accepted + called
  }

  /// The roster of the event's key: made if the type is replayed, nil if there is none or no key.
  private final func keyRoster(of event: E) -> Roster<E>? {
    if E.replay > 0 { return makeKeyRoster(of: event) }
    return inSection { E._roster(of: event, in: opaque).map(Self.roster(at:)) }
  }

  /// For channels with keys to override.
  func makeKeyRoster(of event: E) -> Roster<E>? { nil }

  private final func keepForReplay(_ event: E, _ key: Roster<E>?, _ work: inout PostedWork<E>) {
    guard E.replay > 0 else { return }
    for roster in [everybody, key].compactMap(\.self) {
      roster.replay.append(Replayed(event: event, key: key))
      if roster.replay.count > E.replay, let oldest = roster.replay.popFirst() { work.released.append(oldest.event) }
    }
  }

  private final func fillMailboxes(_ event: E, _ key: Roster<E>?, _ work: inout PostedWork<E>) {
    for group in everybody.groups where group.roll.live > 0 {
      send(event, group, key?.group(of: group.lane), &work)
    }
    for roster in [everybody, key].compactMap(\.self) {
      roster.streams.forEachLive { work.offer(event, to: $0) }
      for subscriber in roster.catchingUp {
        subscriber.catchUp?.append(event)
        work.accepted += 1
      }
    }
    guard let key else { return }
    for group in key.groups where group.roll.live > 0 && everybody.group(of: group.lane) == nil {
      send(event, group, nil, &work)
    }
  }

  private final func send(_ event: E, _ group: LaneGroup<E>, _ other: LaneGroup<E>?, _ work: inout PostedWork<E>) {
    let parcel = EventParcel(
      event, self, group.roll.snapshot, other?.roll.snapshot ?? Snapshot(nil), lane: group.lane)
    let bounded = group.bounded + (other?.bounded ?? [])
    let outcome = group.lane.append(
      parcel, unbounded: group.unbounded + (other?.unbounded ?? 0), bounds: group.bounds + (other?.bounds ?? [])
    ) { place in
      bounded[place].countDrop()
      work.droppedBy.append(bounded[place])
    }
    work.add(outcome, group.lane)
  }

  // MARK: Registering

  /// Registers a subscriber, with the replay that is due to it.
  final func add(_ subscriber: Subscriber<E>) -> Bool {
    var work = PostedWork<E>()
    var released: [AnyObject] = []
    let isCatchingUp: Bool? = lock.withLock { _ in
      if subscriber.roster.isRetired { return nil }
      registrations += 1
      subscriber.register(number | registrations)
      count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      let replay = subscriber.roster.replay.elements.map(\.event)
      let isInline = subscriber.lane == nil && subscriber.stream == nil
      if isInline, !replay.isEmpty {
        var events = Fifo<E>()
        for event in replay { events.append(event) }
        subscriber.catchUp = events
        core.idle.add()
      }
      released = retire(subscriber.roster.insert(subscriber))
      if !isInline {
        mailboxes += 1
        needsLock.store(true, ordering: .sequentiallyConsistent)
        for event in replay { sendReplay(event, to: subscriber, &work) }
      }
      return subscriber.catchUp != nil
    }
    guard let isCatchingUp else { return false }
    withExtendedLifetime(released) {}
    work.complete(nil, core)
    if core.isTracing { core.emit(.subscribed, E.self, subscriber.ticket, subscriber.fileID, subscriber.line) }
    if isCatchingUp { CatchUpParcel(subscriber, self).deliverInTurn(core) }
    return true
  }

  private final func sendReplay(_ event: E, to subscriber: Subscriber<E>, _ work: inout PostedWork<E>) {
    if subscriber.stream != nil { return work.offer(event, to: subscriber) }
    guard let lane = subscriber.lane else { return }
    let alone = SubscriberList<E>(capacity: 1)
    alone.append(subscriber)
    let parcel = EventParcel(event, self, Snapshot(alone), Snapshot(nil), lane: lane)
    let bounds = subscriber.bound.map { [$0] } ?? []
    let outcome = lane.append(parcel, unbounded: 1 - bounds.count, bounds: bounds) { _ in
      subscriber.countDrop()
      work.droppedBy.append(subscriber)
    }
    work.add(outcome, lane)
  }

  /// The next events of an inline subscriber that is being given its replay; nil when it has joined the others.
  final func nextToCatchUp(_ subscriber: Subscriber<E>) -> E? {
    var released: [AnyObject] = []
    defer { withExtendedLifetime(released) {} }
    return lock.withLock { _ in
      guard subscriber.isActive else { return nil }
      if let event = subscriber.catchUp?.popFirst() { return event }
      released = retire(subscriber.roster.admit(subscriber))
      return nil
    }
  }

  /// Takes out a subscriber that was cancelled, and lets go of its handler.
  final func remove(_ subscriber: Subscriber<E>) {
    let released = lock.withLock { _ in
      let list = subscriber.roster.remove(subscriber)
      count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      if subscriber.lane != nil || subscriber.stream != nil {
        mailboxes -= 1
        if mailboxes == 0 { needsLock.store(E.replay > 0, ordering: .sequentiallyConsistent) }
      }
      return retire(list, subscriber.handler.takeRetainedValue())
    }
    withExtendedLifetime(released) {}
    if core.isTracing { core.emit(.cancelled, E.self, subscriber.ticket, subscriber.fileID, subscriber.line) }
    if core.idle.isWatched {
      subscriber.lane?.discardDead()
      core.checkIdle()
    }
  }

  // MARK: Limbo

  /// Under the lock. Returns what can be let go of at once, outside.
  final func retire(_ objects: AnyObject?...) -> [AnyObject] {
    for object in objects { if let object { limbo.retire(object) } }
    return collect()
  }

  private final func collect() -> [AnyObject] {
    if limbo.isEmpty { return [] }
    hasLimbo.store(true, ordering: .sequentiallyConsistent)
    let released = limbo.collect(number)
    if limbo.isEmpty { hasLimbo.store(false, ordering: .sequentiallyConsistent) }
    return released
  }

  @usableFromInline
  final func emptyLimbo() {
    let released = lock.withLock { _ in collect() }
    withExtendedLifetime(released) {}
  }
}

extension Snapshot {
  /// How many would be called now.
  var live: Int {
    let run = Run(self)
    return (0..<count).count { run.withSubscriber(at: $0, \.isActive) }
  }
}
