import SeededNumbers

/// Interrupts the running item, so that other items can run before its rest.
extension RunQueue {
  /// The number of points after which an item that was not interrupted lets the other items go first.
  private static let maximumPoints = 1000

  /// Puts the rest of the running item back into the ready set, in first place, so that it continues by default. Returns
  /// its slot, or nil if no other item can run.
  mutating func interrupt(_ baton: Baton) -> Int? {
    current.points += 1
    if lockWaiters > 0 { admitLockWaiters() }
    guard
      !ready.isEmpty || !completions.isEmpty || userSteps.first != nil
        || timers.first.map({ $0.due <= now }) == true
    else { return nil }
    let slot = makeRest(Waiter(interrupting: current, baton, now), point: current.points)
    items[slot].readyAt = now
    // An item that loops until another item has run would otherwise loop forever.
    if current.points.isMultiple(of: Self.maximumPoints) {
      orders += 1
      items[slot].order = orders
      ready.insert(slot, order: orders)
    } else {
      ready.insertFirst(slot)
    }
    return slot
  }

  /// Continues the interrupted item at once.
  mutating func continueAtOnce(_ slot: Int, at index: Int) {
    _ = ready.remove(at: index)
    numbers -= 1
    _ = release(slot)
  }

  /// Parks the interrupted item until it is chosen.
  mutating func park(_ slot: Int) {
    guard case .resume(let waiter) = items[slot].work else { return }
    parked.append((waiter, slot))
    leaveWorker()
  }

  /// An interrupted item keeps its worker.
  private mutating func leaveWorker() {
    let isWorker = current.scheduler == SchedulerID.workers.number
    current = Current()
    guard isWorker else { return }
    blockedWorkers += 1
    retractWorkers()
  }

  /// Parks the running item until the lock is free.
  mutating func park(on lock: UInt, _ baton: Baton) {
    current.points += 1
    var waiter = Waiter(interrupting: current, baton, now)
    waiter.lock = lock
    parked.append((waiter, Self.none))
    lockWaiters += 1
    leaveWorker()
  }

  /// Makes the items ready whose locks are free. Only one of them can take a lock, and the others park again.
  mutating func admitLockWaiters() {
    for index in parked.indices where parked[index].slot == Self.none && parked[index].waiter.isLockFree {
      let waiter = parked[index].waiter
      let slot = makeRest(waiter, point: waiter.interrupted?.points ?? 0)
      orders += 1
      items[slot].order = orders
      makeReady(slot)
      parked[index].slot = slot
      lockWaiters -= 1
    }
  }

  /// The schedulers of the items that wait for locks, if the run cannot continue for that reason.
  var lockDeadlock: [String] {
    guard lockWaiters > 0, isEmpty else { return [] }
    return parked.filter { $0.waiter.lock != 0 }.map { queues[$0.waiter.scheduler].scheduler.label }
  }

  private mutating func makeRest(_ waiter: Waiter, point: Int) -> Int {
    guard let interrupted = waiter.interrupted else { fatalError("Only an interrupted item has a rest.") }
    let (running, made, total) = (current, scheduledOutside, chains)
    // The rest does not count as an item that the running one has scheduled.
    defer { (current, scheduledOutside, chains) = (running, made, total) }
    let slot = makeItem(.resume(waiter), .resumption, on: queues[waiter.scheduler].scheduler)
    items[slot].cause = interrupted.number
    items[slot].chain = interrupted.chain
    items[slot].isInterrupted = true
    items[slot].identity = SplitMix64.scatter(
      interrupted.identity &+ UInt64(truncatingIfNeeded: point) &* 0xD1B5_4A32_D192_ED03)
    return slot
  }
}

extension Waiter {
  init(interrupting item: RunQueue.Current, _ baton: Baton, _ now: Duration) {
    self.init(
      gate: Self.none, scheduler: item.scheduler, chain: item.chain, baton: baton, since: now, interrupted: item)
  }

  /// Whether the lock that the item waits for is free. The word of such a lock is zero while it is free: this holds for
  /// the mutexes of Swift and of the C library on Linux.
  var isLockFree: Bool {
    guard lock != 0, let word = UnsafePointer<UInt32>(bitPattern: lock) else { return lock == 0 }
    return word.pointee == 0
  }
}
