public import Synchronization

/// The subscribers and the replay of one event type.
///
/// Only the methods that are compiled into the posting code know the event type.
///
/// `Sendable` is unchecked, because each property is constant, atomic, or accessed only under the lock.
@usableFromInline
final class Channel: Caller, @unchecked Sendable {
  /// The number of most recent events to keep.
  let replay: Int
  /// The subscribers without a key.
  @usableFromInline let everybody = SubscriberSet()
  /// The subscribers by key, or nil before the first use. The index never changes after it has been created.
  @usableFromInline let keys = Atomic<Unmanaged<KeyIndex>?>(nil)
  /// The number of subscriptions of all kinds.
  @usableFromInline let count = Atomic<Int>(0)
  /// Whether a post must do more than call handlers: fill mailboxes, store a replay, or put new inline subscribers into
  /// calling order.
  @usableFromInline let needsLock: Atomic<Bool>
  let isClosed = Atomic<Bool>(false)
  /// The group that contains all subscribers. Nil if there is none, a subscriber has a limit, or the type replays. If it
  /// is not nil, the events of a burst share envelopes. The group is changed and used under the lock. Reading it first
  /// without the lock avoids taking the lock for other types.
  let onlyGroup = Atomic<Unmanaged<MailboxGroup>?>(nil)
  private let lock = Locked(())
  let registrations: Atomic<UInt64>
  // Protected by the lock:
  /// The number of queued subscriptions and streams.
  @exclusivity(unchecked) var queued = 0
  /// The sets whose inline subscribers are not in calling order. The next post sorts them.
  @exclusivity(unchecked) var unsorted: [ObjectIdentifier: SubscriberSet] = [:]
  /// The number of registrations and removals.
  @exclusivity(unchecked) var changes: UInt64 = 0
  /// The number of events that were stored for replay.
  @exclusivity(unchecked) var kept: UInt64 = 0
  @exclusivity(unchecked) var retired = RetireList()

  @usableFromInline
  init(_ core: BusCore, _ type: any Event.Type, _ operations: EventOperations) {
    let entry = ChannelNumbers.take()
    registrations = Atomic(entry.registrations)
    replay = type.replay
    needsLock = Atomic(replay > 0)
    super.init(core, type, operations, number: entry.number)
  }

  deinit {
    keys.load(ordering: .relaxed)?.release()
    ChannelNumbers.giveBack(.init(number: number, registrations: registrations.load(ordering: .relaxed)))
  }

  /// Runs a step under the lock, and then its deferred actions, such as waking a mailbox. Inlined, because otherwise the
  /// step's captures are retained and released around the call.
  @inline(__always)
  func locked<Result>(_ step: (inout DeferredActions) -> Result) -> Result {
    var actions = DeferredActions()
    lock.lock()
    let result = step(&actions)
    lock.unlock()
    actions.perform()
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

  /// Ends a subscription. This method can be called from any thread, any number of times.
  override func cancel(_ subscriber: Subscriber) {
    let subscriber = subscriber.registration
    if subscriber.end() { return remove(subscriber) }
    // Another thread cancelled first. This cancellation must be final as well, so it waits for a call with an event
    // that this thread posted.
    guard replay > 0, subscriber.isInline else { return }
    if locked({ _ in isCallingWithOwnEvent(subscriber) }) { waitForCalls(of: subscriber) }
  }

  /// The current subscribers in registration order.
  var living: [(subscriber: Registration, key: (any Hashable & Sendable)?)] {
    let living = locked { _ in
      var living: [(subscriber: Registration, key: (any Hashable & Sendable)?)] = []
      for set in sets { set.forEachLive { living.append(($0, set.anyKey)) } }
      return living
    }
    return living.sorted { $0.subscriber.subscriptionID < $1.subscriber.subscriptionID }
  }

  /// The set without a key and the sets of all keys. Requires the lock.
  var sets: [SubscriberSet] { [everybody] + (index?.sets ?? []) }

  var index: KeyIndex? { keys.load(ordering: .acquiring)?.takeUnretainedValue() }

  // MARK: Posting

  /// Delivers an event to all registered subscribers, and returns the number of subscribers that accepted it.
  @inlinable
  func post<E: Event>(_ event: E) -> Int {
    if needsLock.load(ordering: .acquiring) { return postWithLockedStep(event) }
    guard count.load(ordering: .acquiring) > 0 else { return 0 }
    guard let record = core.beginDelivery() else { return postLater(event) }
    record.enter(number)
    let keyed = keyedSet(of: event, createsSet: false)
    // `Caller`, the superclass, calls the handlers.
    let called = deliver(
      event, Run(everybody.inline.load(ordering: .sequentiallyConsistent)), Run(inline: keyed), nil, in: record)
    record.leave()
    core.end(record)
    return called
  }

  /// Handles a post that is made inside a handler of this bus on this thread, unless `needsLock` holds.
  @inlinable
  @inline(never)
  func postLater<E: Event>(_ event: E) -> Int {
    // The section lasts until the event is queued. Objects that are released after the section may post in their
    // deinit, and those events must come later.
    inSection {
      deliverLater(
        keyedSet(of: event, createsSet: false),
        make: { Envelope(event, self, key: nil, capacity: Envelope.room(for: E.self)) },
        store: { $0.initializeMemory(as: E.self, to: event) })
    }
  }

  /// Handles a post that does one step under the lock: it fills mailboxes, stores a replay, or puts new inline
  /// subscribers into calling order. Handlers run after this step, without the lock.
  @inlinable
  @inline(never)
  func postWithLockedStep<E: Event>(_ event: E) -> Int {
    let accepted = appendToBurst(
      make: { Envelope(event, self, key: nil, capacity: Envelope.room(for: E.self)) },
      store: { $0.initializeMemory(as: E.self, to: event) })
    if accepted > 0 { return accepted }
    // Nil inside a handler of this bus, whose posts wait for the end of the current delivery.
    let own = core.beginDelivery()
    let record = own ?? core.beginSection()
    record.enter(number)
    let step = lockedStep(
      own, key: { keyedSet(of: event, createsSet: isReplaying)?.takeUnretainedValue() },
      make: { Envelope(event, self, key: $0, capacity: 1) })
    let called = own == nil ? 0 : deliver(event, Run(step.unkeyed), Run(step.keyed), nil, in: record)
    record.leave()
    core.end(record)
    return step.accepted + called
  }

  @usableFromInline var isReplaying: Bool { replay > 0 }

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

extension Run {
  /// Creates a run of a set's inline subscribers. The calling thread must have entered the channel.
  @inlinable
  init(inline set: Unmanaged<SubscriberSet>?) {
    self.init(set?._withUnsafeGuaranteedRef { $0.inline.load(ordering: .sequentiallyConsistent) })
  }
}
