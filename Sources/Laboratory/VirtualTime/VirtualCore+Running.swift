import Foundation
import Scheduling
import Synchronization

/// The loops that run the queue.
extension VirtualCore {
  /// Acquires the queue for this thread. Returns false if a thread is already running.
  private func begin() -> Bool {
    shared.withLock { _ in
      guard owner.load(ordering: .relaxed) == 0 else { return false }
      owner.store(ThreadID.current, ordering: .relaxed)
      return true
    }
  }

  /// Releases the queue, unless the inbox has items. Returns whether it released the queue.
  private func rest() -> Bool {
    shared.withLock { shared in
      guard shared.inbox.isEmpty else { return false }
      owner.store(0, ordering: .relaxed)
      return true
    }
  }

  private func publish() { shared.withLock { $0.figures = liveFigures } }

  /// Runs items first in, first out, until the next delay would end after the limit. The limit is computed from the
  /// current time.
  func runByHand(until limit: (Duration) -> Duration?) {
    guard begin() else { return }
    let limit = limit(queue.now)
    repeat {
      while true {
        if hasMail.load(ordering: .relaxed) { readMail() }
        let isDue = queue.nextDue.map { due in limit.map { due <= $0 } ?? true } ?? false
        guard queue.isReady || isDue else { break }
        queue.prepare(findsTies: false)
        if let work = take(0) { perform(work) }
      }
      if let limit { queue.advanceTime(to: limit) }
      publish()
    } while !rest()
  }

  /// Runs on this thread. While closures on it wait at gates, further threads continue the run.
  ///
  /// - Parameter onEnd: called on main before the run is abandoned.
  func run(_ onEnd: (@Sendable (VirtualRunEnd) -> Void)?) -> VirtualRunEnd {
    guard begin() else { fatalError("A virtual runtime was started inside its own run.") }
    let own = Baton()
    callersBaton = own
    self.onEnd = onEnd
    defer { self.onEnd = nil }
    repeat { drive(own) } while !rest()
    return shared.withLock { $0.end ?? .idle }
  }

  /// The thread with the baton runs the loop. When a closure waits at a gate, its thread keeps the closure, and another
  /// thread continues the loop. So a closure that does not wait needs no thread switch.
  func drive(_ own: Baton) {
    seize(own)
    while runNext(own) {}
    publish()
  }

  /// Runs the next item. Returns false if the thread has no more work.
  private func runNext(_ own: Baton) -> Bool {
    if hasMail.load(ordering: .relaxed) { readMail() }
    preselected = queue.isGivenUp ? nil : preselected
    if queue.isGivenUp {
      if let waiter = nextLeftover() {
        queue.resume(waiter)
        return handOver(to: waiter.baton, own)
      }
    } else if !queue.isOverLimit, let index = preselected ?? choose() {
      preselected = nil
      guard let work = take(index) else { return true }
      guard case .resume(let waiter) = work else {
        perform(work)
        return true
      }
      return handOver(to: waiter.baton, own)
    } else if queue.end != .idle {
      let waiting = queue.isOverLimit ? [] : queue.lockDeadlock
      if !waiting.isEmpty { onLockDeadlock?(waiting) }
      giveUp(queue.end)
      return true
    }
    guard let caller = callersBaton, caller !== own else { return false }
    publish()
    spares.removeAll { $0 === caller }
    return handOver(to: caller, own)
  }

  /// The index of the next item, or nil.
  private func choose() -> Int? {
    queue.prepare(findsTies: policy != nil)
    let count = queue.count
    guard count > 1, let policy else { return count == 0 ? nil : 0 }
    let index = policy.choose(from: ReadySet(self, count: count))
    guard index >= 0, index < count else { fatalError("The schedule policy chose index \(index) of \(count) items.") }
    return index
  }

  private func take(_ index: Int) -> RunQueue.Work? {
    let before = queue.now
    let item = observer.willRun == nil ? nil : queue.readyItem(at: index)
    let work = queue.take(index)
    if queue.now != before { publish() }
    if work != nil, let item {
      observer.willRun?(item)
      // The set of items that may run later depends on the lateness of all other items.
      if case .slack = queue.timing, item.due != nil { touch(.other) }
    }
    return work
  }

  private func perform(_ work: RunQueue.Work) {
    switch work {
    case .call(let action): action.call()
    case .job(let job):
      observer.willRunJob?(job)
      job.runSynchronously(on: asUnownedTaskExecutor())
    case .processJob(let job): runProcessJob?(job, queue.queues[queue.current.scheduler].scheduler)
    case .resume, .growth, .nothing: return
    }
    queue.finish()
  }

  private func seize(_ own: Baton) {
    owner.store(ThreadID.current, ordering: .relaxed)
    baton = own
  }

  /// Lets another thread continue, and waits until this one may run again. Returns false if this thread should exit
  /// instead.
  private func handOver(to other: Baton, _ own: Baton) -> Bool {
    spares.append(own)
    other.open()
    guard own.wait() else { return false }
    seize(own)
    return true
  }

  /// Waits at a gate while the loop continues on another thread.
  func wait(_ gate: Int) {
    guard isMine, let own = baton, queue.isRunning else {
      let isOpen = shared.withLock { _ in owner.load(ordering: .relaxed) == 0 && queue.pass(gate) }
      if !isOpen { fatalError("Code outside the run of a virtual runtime waited at one of its gates.") }
      return
    }
    observer.touched?(.other)
    if queue.isGivenUp || queue.pass(gate) { return }
    queue.park(at: gate, own)
    continueElsewhere(own)
  }

  /// Lets the policy run other items before the running one continues. Returns whether other items ran.
  func interrupt() -> Bool {
    guard isMine, let own = baton, queue.isRunning, !queue.isGivenUp, policy != nil else { return false }
    if hasMail.load(ordering: .relaxed) { readMail() }
    guard let slot = queue.interrupt(own) else { return false }
    guard let index = choose() else { fatalError("Internal inconsistency: no item is ready after an interruption") }
    if queue.slot(at: index) == slot {
      queue.continueAtOnce(slot, at: index)
      return false
    }
    observer.touched?(.other)
    queue.park(slot)
    preselected = index
    continueElsewhere(own)
    return true
  }

  /// Lets other items run until the lock may be free. Returns false if the caller does not run an item, so that it must
  /// wait for the lock itself.
  func waitForLock(_ lock: UInt) -> Bool {
    guard isMine, let own = baton, queue.isRunning else { return false }
    observer.touched?(.other)
    if queue.isGivenUp {
      var waiter = Waiter(interrupting: queue.current, own, queue.now)
      waiter.lock = lock
      leftovers.append(waiter)
      guard let next = nextLeftover() else {
        onLockDeadlock?(leftovers.map { queue.queues[$0.scheduler].scheduler.label })
        return false
      }
      if next.baton === own { return true }
      queue.resume(next)
      next.baton.open()
      _ = own.wait()
      seize(own)
      return true
    }
    queue.park(on: lock, own)
    continueElsewhere(own)
    return true
  }

  /// Continues the loop on another thread, and waits until this thread may run again.
  private func continueElsewhere(_ own: Baton) {
    if let next = spares.popLast() { next.open() } else { RunThread.drive(self) }
    _ = own.wait()
    seize(own)
  }

  /// Removes and returns the first waiting closure that can end.
  private func nextLeftover() -> Waiter? {
    guard let index = leftovers.firstIndex(where: \.isLockFree) else { return nil }
    return leftovers.remove(at: index)
  }

  // MARK: The end

  private func giveUp(_ end: VirtualRunEnd) {
    // The callback may read main-actor state.
    queue.beOnMain()
    onEnd?(end)
    let (dropped, waiting) = queue.abandon()
    leftovers = waiting
    shared.withLock { $0.end = end }
    withExtendedLifetime(dropped) {}
  }

  /// Drops all waiting items, stops the threads, and accepts no new items.
  func close() {
    if isMine { fatalError("A virtual runtime was closed inside its own run.") }
    let (dropped, spares) = shared.withLock { shared in
      shared.isClosed = true
      guard owner.load(ordering: .relaxed) == 0 else { return ([RunQueue.Work](), [Baton]()) }
      defer { self.spares = [] }
      return (queue.abandon().dropped, self.spares)
    }
    for spare in spares { RunThread.release(spare) }
    withExtendedLifetime(dropped) {}
  }
}
