/// How an item gets ready: behind the others of a serial place, and on the workers once a thread is free.
extension RunQueue {
  mutating func enqueue(_ slot: Int) {
    orders += 1
    items[slot].order = orders
    let place = items[slot].place
    switch queues[place].place.kind {
    case .tasks: makeReady(slot)
    case .workers:
      link(slot, in: place)
      admitWorkers()
    case .main, .serial:
      let isAlone = queues[place].first == Self.none && !queues[place].isBusy
      link(slot, in: place)
      if isAlone { makeReady(slot) }
    }
  }

  mutating func makeReady(_ slot: Int) {
    items[slot].readyAt = now
    ready.insert(slot, order: items[slot].order)
  }

  /// Before the one that is ready in a serial place.
  mutating func enqueueFirst(_ slot: Int) {
    let place = items[slot].place
    let head = queues[place].first
    if let index = (0..<ready.count).first(where: { ready[$0] == head }) { _ = ready.remove(at: index) }
    orders += 1
    items[slot].order = orders
    items[slot].next = head
    queues[place].first = slot
    makeReady(slot)
  }

  mutating func link(_ slot: Int, in place: Int) {
    if queues[place].first == Self.none {
      queues[place].first = slot
    } else {
      items[queues[place].last].next = slot
    }
    queues[place].last = slot
  }

  mutating func unlinkFirst(in place: Int) -> Int {
    let slot = queues[place].first
    queues[place].first = items[slot].next
    items[slot].next = Self.none
    return slot
  }

  /// What has become ready is taken back, and lets the one behind it become ready.
  mutating func leave(_ slot: Int) {
    let place = items[slot].place
    guard let index = (0..<ready.count).first(where: { ready[$0] == slot }) else { return unlink(slot, in: place) }
    _ = ready.remove(at: index)
    switch queues[place].place.kind {
    case .tasks: break
    case .workers:
      admittedWorkers -= 1
      admitWorkers()
    case .main, .serial:
      _ = unlinkFirst(in: place)
      admitFirst(in: place)
    }
  }

  mutating func admitFirst(in place: Int) {
    let first = queues[place].first
    if first != Self.none { makeReady(first) }
  }

  private mutating func unlink(_ slot: Int, in place: Int) {
    guard queues[place].first != slot else {
      _ = unlinkFirst(in: place)
      return
    }
    var before = queues[place].first
    while items[before].next != slot { before = items[before].next }
    items[before].next = items[slot].next
    if queues[place].last == slot { queues[place].last = before }
  }

  /// As many closures of the workers are ready as threads are free; the others wait in their queue.
  mutating func admitWorkers() {
    let workers = Place.workers.number
    while admittedWorkers < poolSize - blockedWorkers, queues[workers].first != Self.none {
      let slot = unlinkFirst(in: workers)
      makeReady(slot)
      admittedWorkers += 1
    }
  }

  mutating func retractWorkers() {
    let workers = Place.workers.number
    while admittedWorkers > max(0, poolSize - blockedWorkers) {
      guard
        let index = (0..<ready.count).last(where: { index in
          let item = items[ready[index]]
          return item.place == workers && item.kind != .resumption
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
