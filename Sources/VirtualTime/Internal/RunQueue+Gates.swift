/// Closures that wait at gates, and the end that they may lead to.
extension RunQueue {
  /// Takes a permit of the gate, if there is one.
  mutating func pass(_ gate: Int) -> Bool {
    guard gate < permits.count, permits[gate] > 0 else { return false }
    permits[gate] -= 1
    return true
  }

  /// The item that runs waits at the gate.
  mutating func park(at gate: Int, _ baton: Baton) {
    let place = current.place
    parked.append(Waiter(gate: gate, place: place, chain: current.chain, baton: baton, since: now))
    current = Current()
    guard place == Place.workers.number else { return }
    blockedWorkers += 1
    retractWorkers()
  }

  mutating func open(_ gate: Int) {
    if let index = parked.firstIndex(where: { $0.gate == gate }) {
      let waiter = parked.remove(at: index)
      let slot = makeItem(.resume(waiter), .resumption, on: queues[waiter.place].place)
      items[slot].chain = waiter.chain
      orders += 1
      items[slot].order = orders
      makeReady(slot)
    } else {
      while permits.count <= gate { permits.append(0) }
      permits[gate] += 1
    }
  }

  /// After the end: who waited goes on.
  mutating func resume(_ waiter: Waiter) { current = Current(number: 0, place: waiter.place) }

  mutating func beOnMain() { current = Current(number: 0, place: Place.main.number) }

  var isRunning: Bool { current.place != Self.none }

  // MARK: The end

  /// Whether there were more steps than a run may have.
  var isOverLimit: Bool { stepsAtOnce > mostStepsAtOnce || steps > mostSteps }

  /// How a run ends that has nothing left to do, or no steps left to do it.
  var end: VirtualRunEnd {
    if stepsAtOnce > mostStepsAtOnce { return .livelock(steps: mostStepsAtOnce) }
    if steps > mostSteps { return .endless(steps: mostSteps) }
    return parked.isEmpty ? .idle : .deadlock(waiting: parked.map { queues[$0.place].place.label })
  }

  /// Gives everything up. Returns what is to be released elsewhere than under a lock, and who waits.
  mutating func abandon() -> (dropped: [Work], waiting: [Waiter]) {
    let resumed = (0..<ready.count).compactMap { index in
      if case .resume(let waiter) = items[ready[index]].work { waiter } else { nil }
    }
    defer {
      items = []
      firstFree = Self.none
      ready = ReadyList()
      (timers, userSteps, completions) = (TimerHeap(), TimerHeap(), [])
      parked = []
      for index in queues.indices { queues[index] = Queue(place: queues[index].place) }
      (admittedWorkers, blockedWorkers) = (0, 0)
      current = Current()
      isGivenUp = true
    }
    return (items.map(\.work), resumed + parked)
  }
}
