import Dispatch

/// The timers of one queue, which share one Dispatch source.
///
/// Most timers are time limits that are cancelled before they fire. With a separate source for each timer, starting and
/// cancelling a timer took 17 µs of processor time (Linux, two cores). Dispatch wakes its own thread when the timer is
/// started, and again when it is cancelled.
final class DispatchTimers: Sendable {
  private struct Timer {
    let due: DispatchTime
    let number: Int
    let action: @Sendable () -> Void
  }

  private struct State {
    /// The waiting timers, sorted so that the next one is last. Timers with equal due times fire in the order in which
    /// they were added.
    var waiting: [Timer] = []
    var last = 0
    /// The source fires at ``wakeUp``, possibly without a due timer. The source and its handler retain each other until
    /// the source is cancelled.
    var source: (any DispatchSourceTimer)?
    var wakeUp = DispatchTime.distantFuture

    /// The actions of due timers that are on a concurrent queue and have not started yet, keyed by timer number.
    var handed: [Int: @Sendable () -> Void] = [:]

    /// Returns the number of waiting timers that are due later than the given one.
    func countLater(than due: DispatchTime, _ number: Int) -> Int {
      var (low, high) = (0, waiting.count)
      while low < high {
        let middle = (low + high) / 2
        if (waiting[middle].due, waiting[middle].number) > (due, number) { low = middle + 1 } else { high = middle }
      }
      return low
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
    let due: DispatchTime
    let number: Int

    func cancel() { timers.remove(due, number) }
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
      state.waiting.insert(
        Timer(due: due, number: state.last, action: action), at: state.countLater(than: due, state.last))
      let isFirst = state.source == nil
      if isFirst { state.source = makeSource() }
      if isFirst || due < state.wakeUp { state.wake(at: due) }
      return state.last
    }
    return Token(timers: self, due: due, number: number)
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
      guard let timer = takeDue() else { break }
      // On a concurrent queue, the action must not delay the other timers.
      if isSerial { timer.action() } else { queue.async { [number = timer.number] in self.takeHanded(number)?() } }
    }
    state.withLock { state in
      if let next = state.waiting.last {
        state.wake(at: next.due)
      } else {
        state.source?.cancel()
        state.source = nil
        state.wakeUp = .distantFuture
      }
    }
  }

  /// Takes a single due timer, because its action may cancel the next one.
  private func takeDue() -> Timer? {
    state.withLock { state in
      guard let next = state.waiting.last, next.due <= .now() else { return nil }
      if !isSerial { state.handed[next.number] = next.action }
      return state.waiting.removeLast()
    }
  }

  private func takeHanded(_ number: Int) -> (@Sendable () -> Void)? {
    state.withLock { $0.handed.removeValue(forKey: number) }
  }

  /// Removes a timer, and releases its action outside the lock.
  private func remove(_ due: DispatchTime, _ number: Int) {
    let removed = state.withLock { state in
      let index = state.countLater(than: due, number)
      guard index < state.waiting.count, state.waiting[index].number == number else {
        return state.handed.removeValue(forKey: number)
      }
      return state.waiting.remove(at: index).action
    }
    withExtendedLifetime(removed) {}
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
