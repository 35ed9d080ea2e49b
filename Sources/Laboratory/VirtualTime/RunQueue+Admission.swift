/// Admits items: in order on a serial scheduler, and on the workers as soon as a thread is free.
extension RunQueue {
  mutating func enqueue(_ slot: Int) {
    orders += 1
    items[slot].order = orders
    let scheduler = items[slot].scheduler
    switch queues[scheduler].scheduler.kind {
    case .tasks: makeReady(slot)
    case .workers:
      link(slot, in: scheduler)
      admitWorkers()
    case .main, .serial:
      let isAlone = queues[scheduler].first == Self.none && !queues[scheduler].isBusy
      link(slot, in: scheduler)
      if isAlone { makeReady(slot) }
    }
  }

  mutating func makeReady(_ slot: Int) {
    items[slot].readyAt = now
    ready.insert(slot, order: items[slot].order)
  }

  /// Inserts an item before the ready item of a serial scheduler.
  mutating func enqueueFirst(_ slot: Int) {
    let scheduler = items[slot].scheduler
    let head = queues[scheduler].first
    if let index = ready.index(of: head) { _ = ready.remove(at: index) }
    orders += 1
    items[slot].order = orders
    items[slot].next = head
    queues[scheduler].first = slot
    makeReady(slot)
  }

  mutating func link(_ slot: Int, in scheduler: Int) {
    if queues[scheduler].first == Self.none {
      queues[scheduler].first = slot
    } else {
      items[queues[scheduler].last].next = slot
    }
    queues[scheduler].last = slot
  }

  mutating func unlinkFirst(in scheduler: Int) -> Int {
    let slot = queues[scheduler].first
    queues[scheduler].first = items[slot].next
    items[slot].next = Self.none
    return slot
  }

  /// Withdraws an item. If it was ready, the next item in its queue becomes ready.
  mutating func leave(_ slot: Int) {
    let scheduler = items[slot].scheduler
    guard let index = ready.index(of: slot) else { return unlink(slot, in: scheduler) }
    _ = ready.remove(at: index)
    switch queues[scheduler].scheduler.kind {
    case .tasks: break
    case .workers:
      admittedWorkers -= 1
      admitWorkers()
    case .main, .serial:
      _ = unlinkFirst(in: scheduler)
      admitFirst(in: scheduler)
    }
  }

  mutating func admitFirst(in scheduler: Int) {
    let first = queues[scheduler].first
    if first != Self.none { makeReady(first) }
  }

  private mutating func unlink(_ slot: Int, in scheduler: Int) {
    guard queues[scheduler].first != slot else {
      _ = unlinkFirst(in: scheduler)
      return
    }
    var before = queues[scheduler].first
    while items[before].next != slot { before = items[before].next }
    items[before].next = items[slot].next
    if queues[scheduler].last == slot { queues[scheduler].last = before }
  }

  /// Makes as many of the workers' closures ready as there are free threads. The others stay in the queue.
  mutating func admitWorkers() {
    let workers = SchedulerID.workers.number
    while admittedWorkers < poolSize - blockedWorkers, queues[workers].first != Self.none {
      let slot = unlinkFirst(in: workers)
      makeReady(slot)
      admittedWorkers += 1
    }
  }

  mutating func retractWorkers() {
    let workers = SchedulerID.workers.number
    while admittedWorkers > max(0, poolSize - blockedWorkers) {
      guard
        let index = (0..<ready.count).last(where: { index in
          let item = items[ready[index]]
          return item.scheduler == workers && item.kind != .resumption
        })
      else { return }
      let slot = ready.remove(at: index)
      items[slot].next = queues[workers].first
      if queues[workers].first == Self.none { queues[workers].last = slot }
      queues[workers].first = slot
      admittedWorkers -= 1
    }
  }
}
