public import Synchronization

/// The subscribers and the replay of one event type.
///
/// Only the methods that are compiled into the posting code know the event type.
///
/// Unchecked, because each property is constant, atomic, or accessed only under the lock.
@usableFromInline
final class Channel: @unchecked Sendable {
  @usableFromInline let core: BusCore
  let type: any Event.Type
  let operations: EventOperations
  /// The number of most recent events to keep.
  let replay: Int
  /// The channel's identity in a ``HazardRecord``: 24 bits, followed by 40 bits for its subscribers.
  @usableFromInline let number: UInt64
  @usableFromInline let everybody = SubscriberSet()
  /// The subscribers by key, or nil before the first use. The index never changes after it has been created.
  @usableFromInline let keys = Atomic<Unmanaged<KeyIndex>?>(nil)
  /// The number of subscriptions of all kinds.
  @usableFromInline let count = Atomic<Int>(0)
  /// Whether a post must do more than call handlers: fill mailboxes, or store a replay.
  @usableFromInline let needsLock: Atomic<Bool>
  let isClosed = Atomic<Bool>(false)
  /// The group that contains all subscribers. Nil if there is none, a subscriber has a limit, or the type replays. If it
  /// is not nil, the events of a burst share envelopes. The group is changed and used under the lock. Reading it first
  /// without the lock avoids taking the lock for other types.
  let onlyGroup = Atomic<Unmanaged<MailboxGroup>?>(nil)
  private let lock = Locked(())
  private let registrations: Atomic<UInt64>
  /// The bits of a subscription ID that hold the channel's number.
  static let numberBits: UInt64 = ~0 << 40
  // Protected by the lock:
  @exclusivity(unchecked) private var mailboxes = 0
  /// The sets whose inline subscribers are not in calling order. The next post sorts them.
  @exclusivity(unchecked) private var unsorted: [ObjectIdentifier: SubscriberSet] = [:]
  /// The number of registrations and removals.
  @exclusivity(unchecked) private(set) var changes: UInt64 = 0
  /// The number of events that were stored for replay.
  @exclusivity(unchecked) var kept: UInt64 = 0
  @exclusivity(unchecked) private var retired = RetireList()

  @usableFromInline
  init(_ core: BusCore, _ type: any Event.Type, _ operations: EventOperations) {
    self.core = core
    self.type = type
    self.operations = operations
    let entry = ChannelNumbers.take()
    number = entry.number
    registrations = Atomic(entry.registrations)
    replay = type.replay
    needsLock = Atomic(replay > 0)
  }

  deinit {
    keys.load(ordering: .relaxed)?.release()
    ChannelNumbers.giveBack(.init(number: number, registrations: registrations.load(ordering: .relaxed)))
  }

  /// Runs a step under the lock, and then its deferred effects. Inlined, because otherwise the step's captures are
  /// retained and released around the call.
  @inline(__always)
  func locked<Result>(_ step: (inout Effects) -> Result) -> Result {
    var effects = Effects()
    lock.lock()
    let result = step(&effects)
    lock.unlock()
    effects.perform(for: self)
    // An unused result would be released under the lock, and its deinit may post.
    withExtendedLifetime(result) {}
    return result
  }

  /// Closes the channel. Inline subscriptions and streams end, but queued events are still delivered.
  func close() {
    _ = forgetAll()
    isClosed.store(true, ordering: .relaxed)
    for (subscriber, _) in living {
      switch subscriber.destination {
      case .posting: cancel(subscriber)
      case .stream(let mailbox): mailbox.close()
      case .mailbox: break
      }
    }
  }

  /// The current subscribers in registration order.
  var living: [(subscriber: Subscriber, key: (any Hashable & Sendable)?)] {
    let living = locked { _ in
      var living: [(subscriber: Subscriber, key: (any Hashable & Sendable)?)] = []
      for set in sets { set.forEachLive { living.append(($0, set.anyKey)) } }
      return living
    }
    return living.sorted { $0.subscriber.subscriptionID < $1.subscriber.subscriptionID }
  }

  /// The set without a key and the sets of all keys. Requires the lock.
  var sets: [SubscriberSet] { [everybody] + (index?.sets ?? []) }

  var index: KeyIndex? { keys.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// - Parameter key: the key of the subscription, if there is no event.
  @usableFromInline
  func emit(
    _ kind: TraceEvent.Kind, _ subscriber: Subscriber, _ event: (any Event)? = nil,
    key: (any Hashable & Sendable)? = nil
  ) {
    core.emit(kind, type, event, subscriber, key: key)
  }

  // MARK: Registering

  func nextSubscriptionID() -> UInt64 { number | registrations.wrappingAdd(1, ordering: .relaxed).newValue }

  @usableFromInline
  func register(
    _ find: (Channel) -> SubscriberSet, _ handler: consuming AnyObject, _ delivery: Delivery,
    priority: Int, name: String?, fileID: StaticString, line: UInt
  ) -> Subscription {
    let mailbox = core.mailbox(for: delivery)
    let destination = mailbox.map { Subscriber.Destination.mailbox($0, MailboxLimit(delivery.limit)) } ?? .posting
    return register(find, handler, destination, priority: priority, name: name, fileID: fileID, line: line)
  }

  /// Registers a handler in the set that `find` returns, and delivers the set's replay to it.
  func register(
    _ find: (Channel) -> SubscriberSet, _ handler: consuming AnyObject, _ destination: consuming Subscriber.Destination,
    priority: Int, name: String?, fileID: StaticString, line: UInt
  ) -> Subscription {
    let subscriber = Subscriber(
      self, handler, destination, priority: priority, name: name, fileID: fileID, line: line)
    var set = find(self)
    // Reported before the first event can reach the subscriber, because another thread may be posting.
    if core.isTracing { emit(.subscribed, subscriber, key: set.anyKey) }
    // Repeats until it finds a set that has not been retired in the meantime.
    while !add(subscriber, to: set) { set = find(self) }
    return Subscription(self, subscriber)
  }

  private func add(_ subscriber: Subscriber, to set: SubscriberSet) -> Bool {
    let isAdded = locked { effects in
      if set.isRetired { return false }
      changes += 1
      subscriber.set = .passUnretained(set)
      count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      if case .posting = subscriber.destination {
        if !set.replay.isEmpty {
          subscriber.catchUp = CatchUp(replay: set.replay.elements)
          core.idle.add()
        }
      } else {
        mailboxes += 1
      }
      insert(subscriber, into: set, &effects)
      findOnlyGroup()
      if !set.replay.isEmpty { for envelope in set.replay.elements { offer(envelope, to: subscriber, &effects) } }
      return true
    }
    guard isAdded else { return false }
    if subscriber.catchUp != nil { catchUp(subscriber) }
    return true
  }

  private func insert(_ subscriber: Subscriber, into set: SubscriberSet, _ effects: inout Effects) {
    retire(set.insert(subscriber), &effects)
    if !set.inlineArray.isSorted { unsorted[ObjectIdentifier(set)] = set }
    updateNeedsLock()
  }

  /// Puts the inline subscribers into calling order. Requires the lock.
  func sortInline(_ effects: inout Effects) {
    if unsorted.isEmpty { return }
    for set in unsorted.values {
      retire(set.sortInline(), &effects)
      // The last reference to a set releases its key, which is a client's object.
      effects.release(set)
    }
    unsorted = [:]
    updateNeedsLock()
  }

  private func updateNeedsLock() {
    let isNeeded = replay > 0 || mailboxes > 0 || !unsorted.isEmpty
    if needsLock.load(ordering: .relaxed) != isNeeded { needsLock.store(isNeeded, ordering: .sequentiallyConsistent) }
  }

  private func findOnlyGroup() {
    var found: Unmanaged<MailboxGroup>?
    if replay == 0, everybody.groups.count == 1 {
      let group = everybody.groups[0]
      if group.limited == 0, group.array.live == count.load(ordering: .relaxed) { found = .passUnretained(group) }
    }
    onlyGroup.store(found, ordering: .relaxed)
  }

  func offer(_ envelope: Envelope, to subscriber: Subscriber, _ effects: inout Effects) {
    switch subscriber.destination {
    case .posting: break
    case .stream(let mailbox): mailbox.offer(envelope, to: subscriber, &effects)
    case .mailbox(let mailbox, let limit):
      let delivery = PendingDelivery(
        envelope: envelope, unkeyed: Snapshot(SubscriberBuffer(subscriber)), keyed: .empty,
        acceptance: limit.map { _ in Acceptance(claims: Claims(mailbox), changes: 0) } ?? .byAll)
      mailbox.append(delivery, takers: 1, limited: limit.map { _ in [subscriber] } ?? [], &effects)
    }
  }

  /// Ends a subscription. This method can be called from any thread, any number of times.
  func cancel(_ subscriber: Subscriber) {
    if subscriber.end() { return remove(subscriber) }
    // Another thread cancelled first. This cancellation must be final as well, so it waits for a call with an event
    // that this thread posted.
    guard replay > 0, case .posting = subscriber.destination else { return }
    if locked({ _ in isCallingWithOwnEvent(subscriber) }) { waitForCalls(of: subscriber) }
  }

  /// Returns whether a subscriber that is catching up is receiving an event that this thread posted. Requires the lock.
  private func isCallingWithOwnEvent(_ subscriber: Subscriber) -> Bool {
    guard let poster = subscriber.catchUp?.poster else { return false }
    return poster == HazardRegistry.shared.root
  }

  private func remove(_ subscriber: Subscriber) {
    let (mustWait, key) = locked { effects in
      let key = core.isTracing ? subscriber.set?._withUnsafeGuaranteedRef { $0.anyKey } : nil
      changes += 1
      subscriber.removal.store(changes, ordering: .relaxed)
      let replaced = subscriber.set?._withUnsafeGuaranteedRef { $0.remove(subscriber, &effects) }
      count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      if case .posting = subscriber.destination {
      } else {
        mailboxes -= 1
      }
      if let set = subscriber.set?.takeUnretainedValue(), set.inlineArray.isSorted {
        unsorted[ObjectIdentifier(set)] = nil
      }
      updateNeedsLock()
      findOnlyGroup()
      retire(subscriber.takeHandler(), &effects)
      retire(replaced, &effects)
      subscriber.set?._withUnsafeGuaranteedRef { index?.removeIfEmpty($0, in: self, &effects) }
      return (isCallingWithOwnEvent(subscriber), key)
    }
    if mustWait { waitForCalls(of: subscriber) }
    if core.isTracing { emit(.cancelled, subscriber, key: key) }
    if core.idle.isWatched {
      subscriber.mailbox?.discardDead()
      core.resumeIfIdle()
    }
  }

  func waitForCalls(of subscriber: Subscriber) {
    HazardRegistry.shared.waitForCalls(of: subscriber.subscriptionID) { core.runtime.gate() }
  }

  // MARK: Catching up

  /// Delivers the replay to an inline subscriber, either now or after the event that this thread is delivering for the
  /// bus.
  private func catchUp(_ subscriber: Subscriber) {
    guard let record = core.beginDelivery() else {
      core.currentDelivery?.deliverLater(.catchUp(subscriber, self))
      return
    }
    catchUp(subscriber, in: record)
    core.deliveryEnded()
    core.end(record)
  }

  /// Delivers the replay and the events posted in the meantime, until none are left and the subscriber can join the
  /// others.
  func catchUp(_ subscriber: Subscriber, in record: HazardRecord) {
    let alone = Snapshot(SubscriberBuffer(subscriber))
    while let envelope = nextToCatchUp(subscriber) {
      PendingDelivery(envelope: envelope, unkeyed: alone, keyed: .empty, acceptance: .byAll).deliver(in: record)
    }
  }

  private func nextToCatchUp(_ subscriber: Subscriber) -> Envelope? {
    locked { effects in
      guard subscriber.isActive, let catchUp = subscriber.catchUp else { return nil }
      if let envelope = catchUp.next() { return envelope }
      if let set = subscriber.set?.takeUnretainedValue() {
        if let catchUp = subscriber.catchUp.take() { set.end(catchUp, of: subscriber, &effects) }
        insert(subscriber, into: set, &effects)
      }
      return nil
    }
  }

  /// Blocks until a subscriber that had fallen too far behind has caught up.
  func wait(for catchUp: CatchUp) {
    if locked({ _ in catchUp.isOver }) { return }
    let gate = core.runtime.gate()
    if locked({ _ in catchUp.willOpen(gate) }) { gate.wait() }
  }

  // MARK: Retiring

  /// Retires an object under the lock. Objects that no thread can be reading are released with the effects; the others
  /// are released later.
  func retire(_ object: consuming AnyObject?, _ effects: inout Effects) {
    if object == nil { return }
    if retired.isEmpty, !HazardRegistry.shared.isAnyone(in: number) { return effects.release(object) }
    if let object { retired.retire(object) }
    effects.release(retired.collect(for: self))
  }

  /// Releases the objects that were kept for a thread that has now left the channel.
  func releaseRetired() { locked { effects in effects.release(retired.collect(for: self)) } }

  /// Runs `body`, which may read lists that are valid only while the thread is in the channel.
  @usableFromInline
  func inSection<Result>(_ body: () -> Result) -> Result {
    let record = core.beginSection()
    record.enter(number)
    defer {
      record.leave()
      core.end(record)
    }
    return body()
  }
}
