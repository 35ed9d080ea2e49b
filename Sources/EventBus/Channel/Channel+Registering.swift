import Synchronization

extension Channel {
  // MARK: Registering

  /// Registers a handler in the set that `find` returns, and delivers the set's replay to it.
  @inline(__always)
  func register(
    _ find: (Channel) -> SubscriberSet, _ handler: consuming AnyObject,
    _ destination: consuming Registration.Destination, limit: BoundedBuffer? = nil, priority: Int, name: String?,
    fileID: StaticString, line: UInt
  ) -> Registration {
    let subscriber = Registration(
      number | registrations.wrappingAdd(1, ordering: .relaxed).newValue, handler, destination, limit: limit,
      priority: priority, name: name, fileID: fileID, line: line)
    var set = find(self)
    // Reported before the first event can reach the subscriber, because another thread may be posting.
    if core.isTracing { emit(.subscribed, subscriber, key: set.anyKey) }
    // Repeats until it finds a set that has not been retired in the meantime.
    while !add(subscriber, to: set) { set = find(self) }
    return subscriber
  }

  private func add(_ subscriber: Registration, to set: SubscriberSet) -> Bool {
    let isAdded = locked { actions in
      if set.isRetired { return false }
      changes += 1
      subscriber.set = .passUnretained(set)
      count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      if !subscriber.isInline {
        queued += 1
      } else if !set.replay.isEmpty {
        subscriber.location = .catchingUp(ReplayBacklog(replay: set.replay.elements))
        core.inFlight.add()
      }
      insert(subscriber, into: set, &actions)
      findOnlyGroup()
      if !set.replay.isEmpty { for envelope in set.replay.elements { offer(envelope, to: subscriber, &actions) } }
      return true
    }
    guard isAdded else { return false }
    if subscriber.backlog != nil { catchUp(subscriber) }
    return true
  }

  private func insert(_ subscriber: Registration, into set: SubscriberSet, _ actions: inout DeferredActions) {
    retire(set.insert(subscriber), &actions)
    if !set.inlineArray.isSorted { unsorted[ObjectIdentifier(set)] = set }
    updateNeedsLock()
  }

  /// Puts the inline subscribers into calling order. Requires the lock.
  func sortInline(_ actions: inout DeferredActions) {
    if unsorted.isEmpty { return }
    for set in unsorted.values {
      retire(set.sortInline(), &actions)
      // The last reference to a set releases its key, which is a client's object.
      actions.release(set)
    }
    unsorted = [:]
    updateNeedsLock()
  }

  private func updateNeedsLock() {
    let isNeeded = replay > 0 || queued > 0 || !unsorted.isEmpty
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

  func offer(_ envelope: Envelope, to subscriber: Registration, _ actions: inout DeferredActions) {
    switch subscriber.destination {
    case .posting: break
    case .stream(let mailbox): mailbox.offer(envelope, to: subscriber, &actions)
    case .mailbox(let mailbox):
      let isLimited = subscriber.limit != nil
      let delivery = PendingDelivery(
        envelope: envelope, unkeyed: Snapshot(SubscriberBuffer(subscriber)), keyed: .empty,
        acceptance: isLimited ? Acceptance(recipients: PendingRecipients(), changes: 0) : .byAll)
      mailbox.append(delivery, takers: 1, limited: isLimited ? [subscriber] : [], &actions)
    }
  }

  /// Returns whether a subscriber that is catching up is receiving an event that this thread posted. Requires the lock.
  func isCallingWithOwnEvent(_ subscriber: Registration) -> Bool {
    guard let poster = subscriber.backlog?.poster else { return false }
    return poster == HazardRegistry.shared.root
  }

  func remove(_ subscriber: Registration) {
    let (mustWait, key) = locked { actions in
      let key = core.isTracing ? subscriber.set?._withUnsafeGuaranteedRef { $0.anyKey } : nil
      changes += 1
      subscriber.removal.store(changes, ordering: .relaxed)
      let replaced = subscriber.set?._withUnsafeGuaranteedRef { $0.remove(subscriber, &actions) }
      count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      if !subscriber.isInline { queued -= 1 }
      if !unsorted.isEmpty, let set = subscriber.set?.takeUnretainedValue(), set.inlineArray.isSorted {
        unsorted[ObjectIdentifier(set)] = nil
      }
      updateNeedsLock()
      findOnlyGroup()
      retire(subscriber.takeHandler(), &actions)
      retire(replaced, &actions)
      subscriber.set?._withUnsafeGuaranteedRef { index?.removeIfEmpty($0, in: self, &actions) }
      return (isCallingWithOwnEvent(subscriber), key)
    }
    if mustWait { waitForCalls(of: subscriber) }
    if core.isTracing { emit(.cancelled, subscriber, key: key) }
    if core.inFlight.isWatched {
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
  private func catchUp(_ subscriber: Registration) {
    guard let record = core.beginDelivery() else {
      if let current = core.recordOfDelivery { NestedPosts.add(.catchUp(subscriber, self), to: current) }
      return
    }
    catchUp(subscriber, in: record)
    core.deliveryEnded()
    core.end(record)
  }

  /// Delivers the replay and the events posted in the meantime, until none are left and the subscriber can join the
  /// others.
  func catchUp(_ subscriber: Registration, in record: HazardRecord) {
    let alone = Snapshot(SubscriberBuffer(subscriber))
    while let envelope = nextToCatchUp(subscriber) {
      PendingDelivery(envelope: envelope, unkeyed: alone, keyed: .empty, acceptance: .byAll).deliver(in: record)
    }
  }

  private func nextToCatchUp(_ subscriber: Registration) -> Envelope? {
    locked { actions in
      guard subscriber.isActive, let backlog = subscriber.backlog else { return nil }
      if let envelope = backlog.next() { return envelope }
      if let set = subscriber.set?.takeUnretainedValue() {
        subscriber.location = .list
        set.end(backlog, of: subscriber, &actions)
        insert(subscriber, into: set, &actions)
      }
      return nil
    }
  }

  /// Blocks until a subscriber that had fallen too far behind has caught up.
  func wait(for backlog: ReplayBacklog) {
    if locked({ _ in backlog.isOver }) { return }
    let gate = core.runtime.gate()
    if locked({ _ in backlog.willOpen(gate) }) { gate.wait() }
  }

  // MARK: Retiring

  /// Retires an object under the lock. Objects that no thread can be reading are released with the actions; the others
  /// are released later.
  func retire(_ object: consuming AnyObject?, _ actions: inout DeferredActions) {
    if object == nil { return }
    if retired.isEmpty, !HazardRegistry.shared.isAnyone(in: number) { return actions.release(object) }
    if let object { retired.retire(object) }
    collectRetired(&actions)
  }

  /// Releases the retired objects that no thread can be reading any longer.
  private func collectRetired(_ actions: inout DeferredActions) {
    actions.release(
      retired.collect(readersOf: number) {
        // A reader has left the channel.
        self.locked { self.collectRetired(&$0) }
      })
  }
}
