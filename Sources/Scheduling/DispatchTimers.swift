import Dispatch

/// The timers of one queue, which share one Dispatch source.
///
/// Most timers are time limits that are cancelled before they fire. With a separate source for each timer, starting and
/// cancelling a timer took 17 µs of processor time (Linux, two cores). Dispatch wakes its own thread when the timer is
/// started, and again when it is cancelled.
final class DispatchTimers: Sendable {
  /// A timer's place in the order. Timers with equal due times fire in the order in which they were added.
  private struct Timer: Comparable {
    let due: DispatchTime
    let number: Int

    static func < (one: Timer, other: Timer) -> Bool { (one.due, one.number) < (other.due, other.number) }
  }

  private struct State {
    /// The waiting timers, and cancelled ones until they come first or form the majority.
    var timers = Heap<Timer>()
    /// The actions of the waiting timers, keyed by timer number.
    var waiting: [Int: @Sendable () -> Void] = [:]
    var last = 0
    /// The source fires at ``wakeUp``, possibly without a due timer. The source and its handler retain each other until
    /// the source is cancelled.
    var source: (any DispatchSourceTimer)?
    var wakeUp = DispatchTime.distantFuture

    /// The actions of due timers that are on a concurrent queue and have not started yet, keyed by timer number.
    var handed: [Int: @Sendable () -> Void] = [:]

    /// Returns the next timer, and removes the cancelled ones before it.
    mutating func next() -> Timer? {
      while let first = timers.first, waiting[first.number] == nil { timers.remove(at: 0) }
      return timers.first
    }

    /// Removes an action that has not started.
    mutating func cancel(_ number: Int) -> (@Sendable () -> Void)? {
      guard let action = waiting.removeValue(forKey: number) else { return handed.removeValue(forKey: number) }
      if timers.count > 16, timers.count > 2 * waiting.count {
        timers.removeAll { [waiting] in waiting[$0.number] == nil }
      }
      return action
    }

    /// Sets the next wake-up, at most one minute from now. This limits how long the source outlives a distant timer
    /// that is cancelled.
    mutating func wake(at due: DispatchTime) {
      wakeUp = min(due, .now() + .seconds(60))
      source?.schedule(deadline: wakeUp)
    }
  }

  private struct Token: Cancellation {
    let timers: DispatchTimers
    let number: Int

    /// Releases the action outside the lock.
    func cancel() {
      let action = timers.state.withLock { $0.cancel(number) }
      withExtendedLifetime(action) {}
    }
  }

  private let queue: DispatchQueue
  private let isSerial: Bool
  private let state = Locked(State())

  init(on queue: DispatchQueue, isSerial: Bool) {
    self.queue = queue
    self.isSerial = isSerial
  }

  func add(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    let due = DispatchTime.now() + .nanoseconds(delay.clampedNanoseconds)
    let number = state.withLock { state in
      state.last += 1
      state.timers.insert(Timer(due: due, number: state.last))
      state.waiting[state.last] = action
      let isFirst = state.source == nil
      if isFirst { state.source = makeSource() }
      if isFirst || due < state.wakeUp { state.wake(at: due) }
      return state.last
    }
    return Token(timers: self, number: number)
  }

  private func makeSource() -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { self.fire() }
    source.activate()
    return source
  }

  /// Fires a limited number of due timers, because other work is also waiting for the queue.
  private func fire() {
    for _ in 0..<32 {
      guard let (number, action) = takeDue() else { break }
      // On a concurrent queue, the action must not delay the other timers.
      if isSerial { action() } else { queue.async { self.takeHanded(number)?() } }
    }
    state.withLock { state in
      if let next = state.next() {
        state.wake(at: next.due)
      } else {
        state.source?.cancel()
        state.source = nil
        state.wakeUp = .distantFuture
      }
    }
  }

  /// Takes a single due timer, because its action may cancel the next one.
  private func takeDue() -> (number: Int, action: @Sendable () -> Void)? {
    state.withLock { state in
      guard let next = state.next(), next.due <= .now(), let action = state.waiting.removeValue(forKey: next.number)
      else { return nil }
      state.timers.remove(at: 0)
      if !isSerial { state.handed[next.number] = action }
      return (next.number, action)
    }
  }

  private func takeHanded(_ number: Int) -> (@Sendable () -> Void)? {
    state.withLock { $0.handed.removeValue(forKey: number) }
  }
}

extension Duration {
  /// The duration in whole nanoseconds, limited to the range that Dispatch accepts: zero to `Int.max`.
  package var clampedNanoseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < Int64(Int.max) / 1_000_000_000 else { return Int.max }
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
