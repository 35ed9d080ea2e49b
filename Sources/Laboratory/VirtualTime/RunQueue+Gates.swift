/// Manages closures that wait at gates, and the deadlock that they can cause.
extension RunQueue {
  struct GateState {
    var permits = 0
    /// The number of the item that last opened the gate.
    var opener = 0
    /// The number of closures that wait at the gate.
    var waiting = 0
  }

  /// Takes a permit of the gate, if one is available and no closure waits at the gate. Returns whether it took one.
  mutating func pass(_ gate: Int) -> Bool {
    guard gate < gates.count, gates[gate].permits > 0, gates[gate].waiting == 0 else { return false }
    gates[gate].permits -= 1
    return true
  }

  /// Makes the running item wait at the gate.
  mutating func park(at gate: Int, _ baton: Baton) {
    let scheduler = current.scheduler
    addGate(gate)
    gates[gate].waiting += 1
    waits += 1
    let waiter = Waiter(gate: gate, scheduler: scheduler, chain: current.chain, baton: baton, since: now)
    // As with a semaphore, a thread that runs before the woken one can take the permit.
    parked.append((waiter, gates[gate].permits > 0 ? makeResumption(waiter) : Self.none))
    current = Current()
    guard scheduler == SchedulerID.workers.number else { return }
    blockedWorkers += 1
    retractWorkers()
  }

  /// Opens the gate. Any closure that waits at the gate can continue, until one of them takes the permit.
  mutating func open(_ gate: Int) {
    addGate(gate)
    gates[gate].permits += 1
    gates[gate].opener = current.number
    guard gates[gate].permits == 1, gates[gate].waiting > 0 else { return }
    for index in parked.indices where parked[index].waiter.gate == gate {
      parked[index].slot = makeResumption(parked[index].waiter)
    }
  }

  /// Lets a closure that waited at a gate continue.
  mutating func leaveGate(_ waiter: Waiter) {
    if let index = parked.firstIndex(where: { $0.waiter.baton === waiter.baton }) { parked.remove(at: index) }
    gates[waiter.gate].permits -= 1
    gates[waiter.gate].waiting -= 1
    guard gates[waiter.gate].permits == 0, gates[waiter.gate].waiting > 0 else { return }
    for index in parked.indices where parked[index].waiter.gate == waiter.gate {
      let slot = parked[index].slot
      if let index = ready.index(of: slot) { _ = ready.remove(at: index) }
      _ = release(slot)
      parked[index].slot = Self.none
    }
  }

  private mutating func addGate(_ gate: Int) {
    while gates.count <= gate { gates.append(GateState()) }
  }

  private mutating func makeResumption(_ waiter: Waiter) -> Int {
    let slot = makeItem(.resume(waiter), .resumption, on: queues[waiter.scheduler].scheduler)
    items[slot].chain = waiter.chain
    items[slot].cause = gates[waiter.gate].opener
    orders += 1
    items[slot].order = orders
    makeReady(slot)
    return slot
  }

  /// Lets a waiting closure continue after the end of the run.
  mutating func resume(_ waiter: Waiter) { current = Current(number: 0, scheduler: waiter.scheduler) }

  mutating func beOnMain() { current = Current(number: 0, scheduler: SchedulerID.main.number) }

  var isRunning: Bool { current.scheduler != Self.none }

  // MARK: The end

  /// Whether the run has exceeded a limit on its steps.
  var isOverLimit: Bool { stepsAtOnce > maximumStepsAtOnce || steps > maximumSteps }

  /// How the run ended. Valid only if no item is ready or the run has exceeded a limit on its steps.
  var end: VirtualRunEnd {
    if stepsAtOnce > maximumStepsAtOnce { return .livelock(steps: maximumStepsAtOnce) }
    if steps > maximumSteps { return .endless(steps: maximumSteps) }
    return parked.isEmpty ? .idle : .deadlock(waiting: parked.map { queues[$0.waiter.scheduler].scheduler.label })
  }

  /// Abandons the run. Returns the dropped work, which the caller must release outside a lock, and the waiting
  /// closures.
  mutating func abandon() -> (dropped: [Work], waiting: [Waiter]) {
    // Closures that can continue come first.
    let waiting = parked.filter { $0.slot != Self.none } + parked.filter { $0.slot == Self.none }
    defer {
      items = []
      firstFree = Self.none
      ready = ReadyList()
      (timers, userSteps, completions) = (TimerHeap(), TimerHeap(), [])
      parked = []
      for index in queues.indices { queues[index] = Queue(scheduler: queues[index].scheduler) }
      (admittedWorkers, blockedWorkers, lockWaiters) = (0, 0, 0)
      current = Current()
      isGivenUp = true
    }
    return (items.map(\.work), waiting.map(\.waiter))
  }
}
