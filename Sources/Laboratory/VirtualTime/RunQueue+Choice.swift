/// Provides the items that can be chosen, and applies a choice.
extension RunQueue {
  /// The number of items that can be chosen.
  var count: Int { ready.count + open + others.count }

  /// Whether an item can run without advancing the clock.
  var isReady: Bool { !ready.isEmpty }

  /// Whether no ready or delayed item is left.
  var isEmpty: Bool { ready.isEmpty && timers.first == nil && completions.isEmpty && userSteps.first == nil }

  /// The due time of the next timer under exact timing.
  var nextDue: Duration? { timers.first?.due }

  /// The slot of the item at an index among the choices. Delayed items follow ready items, ordered by due time.
  /// Mutating only so that a call does not copy the queue.
  mutating func slot(at index: Int) -> Int {
    guard index >= ready.count else { return ready[index] }
    var index = index - ready.count
    for other in others {
      let position = min(self.index(of: other), open)
      if index < position { break }
      if index == position { return other.slot }
      index -= 1
    }
    return completions[index].slot
  }

  mutating func readyItem(at index: Int) -> ReadyItem {
    let item = items[slot(at: index)]
    return ReadyItem(
      scheduler: queues[item.scheduler].scheduler, kind: item.kind, number: item.number, due: item.due,
      cause: item.cause == 0 ? nil : item.cause, notesOfCause: item.notesOfCause, identity: item.identity,
      chain: item.chain, isInterrupted: item.isInterrupted)
  }

  /// Lets a starved pool grow. Then finds the delayed items that can be chosen in addition to ready items and network
  /// completions. Call it before each choice.
  ///
  /// - Parameter findsTies: whether to find all timers that are due at the same time as the next one.
  mutating func prepare(findsTies: Bool) {
    if lockWaiters > 0 { admitLockWaiters() }
    growPool()
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    if ready.isEmpty { settledUntil = nil }
    open = settles ? openBeforeSettling : completions.count
    if delaysAreOver {
      open = 0
      return
    }
    let latest = latestChoice
    var step = userSteps.first
    if let latest {
      let free = min(latest, timers.first?.due ?? latest)
      open = min(open, completions.prefix { $0.due <= free }.count)
      if let due = step?.due, due > free { step = nil }
    }
    if let step { others.append(step) }
    // A timer that is due counts as ready. A timer that is not yet due can run only when nothing else is ready.
    guard let timer = timers.first, ready.isEmpty || timer.due <= now else { return }
    if let latest, timer.due > latest { return }
    if settles, waitsToSettle(timer) { return }
    if findsTies { timers.appendTies(to: &others, items) } else { others.append(timer) }
    guard others.count > 1 else { return }
    others.sort(by: <)
    var kept = 0
    for other in others where !others[..<kept].contains(where: { keepOrder($0, other) }) {
      others[kept] = other
      kept += 1
    }
    others.removeLast(others.count - kept)
  }

  /// Whether two delays that end at the same time must end in the order in which they started. Dispatch guarantees this
  /// order on a serial queue.
  private func keepOrder(_ one: TimerHeap.Entry, _ other: TimerHeap.Entry) -> Bool {
    let other = items[other.slot]
    guard other.kind != .sleep, queues[other.scheduler].scheduler.isSerial else { return false }
    return items[one.slot].scheduler == other.scheduler && items[one.slot].kind == other.kind
  }

  /// The latest time at which an item may become ready without delaying another item beyond the slack. Nil means no
  /// limit.
  private var latestChoice: Duration? {
    guard case .slack(let slack) = timing else { return nil }
    let ready = (0..<ready.count).map { items[self.ready[$0]].readyAt }.min()
    let waiting = [ready, completions.first?.due, userSteps.first?.due]
    return waiting.compactMap(\.self).min().map { $0 + max(slack, .zero) }
  }

  private mutating func growPool() {
    guard ready.isEmpty, blockedWorkers >= poolSize, queues[SchedulerID.workers.number].first != Self.none else {
      return
    }
    poolStarved = true
    guard pool.grows, !isPoolGrowing else { return }
    isPoolGrowing = true
    let creator = current
    current = Current()
    _ = append(.growth, .timer, on: .workers, after: .seconds(1))
    current = creator
  }

  /// Takes the item at an index to run it, and advances the clock if the item is delayed. Returns nil if the item
  /// cannot run immediately.
  mutating func take(_ index: Int) -> Work? {
    let slot: Int
    if index < ready.count {
      slot = ready.remove(at: index)
    } else {
      slot = self.slot(at: index)
      fire(slot)
      guard ready.last == slot else { return nil }
      _ = ready.remove(at: ready.count - 1)
    }
    steps += 1
    stepsAtOnce += 1
    let scheduler = items[slot].scheduler
    current = Current(
      number: items[slot].number, scheduler: scheduler, identity: items[slot].identity, chain: items[slot].chain,
      nominal: items[slot].nominal)
    if case .resume(let waiter) = items[slot].work {
      if let interrupted = waiter.interrupted {
        if let index = parked.firstIndex(where: { $0.slot == slot }) { parked.remove(at: index) }
        current = interrupted
        if scheduler == SchedulerID.workers.number { blockedWorkers -= 1 }
        return release(slot)
      }
      leaveGate(waiter)
      if scheduler == SchedulerID.workers.number { blockedWorkers -= 1 }
      if scheduler == SchedulerID.main.number { longestMainWait = max(longestMainWait, now - waiter.since) }
    } else {
      switch queues[scheduler].scheduler.kind {
      case .main, .serial:
        _ = unlinkFirst(in: scheduler)
        queues[scheduler].isBusy = true
      case .workers: admittedWorkers -= 1
      case .tasks: break
      }
    }
    return release(slot)
  }

  /// Adds a due timer to the queue of its scheduler.
  mutating func fire(_ slot: Int) {
    let item = items[slot]
    let due = item.due ?? now
    if due > now {
      advanceTime(to: due)
      stepsAtOnce = 0
    }
    if settles {
      latestDelay = max(latestDelay, due)
      if item.kind == .settling { settledUntil = due }
    }
    let isFirst = overtakes(item)
    let entry = TimerHeap.Entry(due: due, number: item.number, slot: slot)
    switch line(of: item.kind) {
    case .completions: completions.remove(at: index(of: entry))
    case .steps: userSteps.remove(entry, items)
    case .timers: timers.remove(entry, items)
    }
    if item.kind == .step { ordersBeforeStep = isFirst ? items[queues[item.scheduler].first].order - 1 : orders + 1 }
    guard case .growth = item.work else {
      if isFirst { return enqueueFirst(slot) }
      enqueue(slot)
      switch item.kind {
      case .timer: queues[item.scheduler].lastTimer = orders
      case .completion: queues[item.scheduler].lastCompletion = orders
      case .step: queues[item.scheduler].lastStep = orders
      case .closure, .job, .resumption, .sleep, .settling: break
      }
      return
    }
    isPoolGrowing = false
    if blockedWorkers >= poolSize, queues[SchedulerID.workers.number].first != Self.none { poolSize += 1 }
    _ = release(slot)
    admitWorkers()
  }

  /// Whether the item at this index, if chosen, would join the queue of its scheduler instead of running.
  mutating func joinsQueue(_ index: Int) -> Bool {
    let item = items[slot(at: index)]
    let queue = queues[item.scheduler]
    return index >= ready.count && queue.scheduler.isSerial && (queue.isBusy || queue.first != Self.none)
      && !overtakes(item)
  }

  /// Whether a delayed item may run before everything in its scheduler's queue. It may do so if the queued items joined
  /// after the delayed item became ready.
  private func overtakes(_ item: Item) -> Bool {
    let queue = queues[item.scheduler]
    guard queue.scheduler.isSerial, !queue.isBusy, queue.first != Self.none else { return false }
    let since =
      switch (line(of: item.kind), timing) {
      case (.completions, .any): item.since
      case (.steps, .any): max(item.since, ordersBeforeStep)
      case (.steps, _): max(item.since, ordersBeforeStep, orders(before: item.due ?? now))
      case (.completions, _): max(item.since, orders(before: item.due ?? now))
      case (.timers, _): max(item.since, orders(before: item.due ?? now), lastOfItsKind(item))
      }
    return items[queue.first].order > since
  }

  /// The number of items that had joined their schedulers' queues before the clock reached the due time.
  private func orders(before due: Duration) -> Int {
    guard due <= now else { return orders }
    guard timing != .exact else { return ordersBeforeNow }
    // An item that is due at time zero never waited for the clock, so the result is 0.
    var before = 0
    for advance in advances.reversed() where due > .zero {
      guard advance.time >= due else { break }
      before = advance.orders
    }
    return before
  }

  /// The position of the last item that this one must not overtake, because both were delayed on the same serial
  /// scheduler.
  private func lastOfItsKind(_ item: Item) -> Int {
    switch item.kind {
    case .timer: queues[item.scheduler].lastTimer
    case .completion: queues[item.scheduler].lastCompletion
    case .step: queues[item.scheduler].lastStep
    case .closure, .job, .resumption, .sleep, .settling: 0
    }
  }

  /// Advances the clock. No timer may be due before the new time.
  mutating func advanceTime(to time: Duration) {
    guard time > now else { return }
    if !ready.isEmpty { delayedWork += time - now }
    now = time
    ordersBeforeNow = orders
    if timing != .exact { advances.append((time, orders)) }
  }

  /// Records that the running item has ended.
  mutating func finish() {
    let scheduler = current.scheduler
    current = Current()
    switch queues[scheduler].scheduler.kind {
    case .main, .serial:
      queues[scheduler].isBusy = false
      admitFirst(in: scheduler)
    case .workers: admitWorkers()
    case .tasks: break
    }
  }
}
