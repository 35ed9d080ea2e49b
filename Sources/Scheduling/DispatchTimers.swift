import Dispatch

/// The timers of one queue, behind one source of Dispatch.
///
/// Most timers are limits that are called off. A source for each took 17 µs of processor time to begin and to call off (Linux,
/// two cores), as Dispatch wakes a thread of its own both times.
final class DispatchTimers: Sendable {
  private struct Timer {
    let due: DispatchTime
    let number: Int
    let action: @Sendable () -> Void
  }

  private struct State {
    /// The next one last; of two that are due together, the first that was asked for.
    var waiting: [Timer] = []
    var last = 0
    /// Fires at ``wakeUp``, perhaps for nothing. It and its handler keep each other alive until it is cancelled then.
    var source: (any DispatchSourceTimer)?
    var wakeUp = DispatchTime.distantFuture

    /// On a concurrent queue, those whose time has come and that no thread has begun.
    var handed: [Int: @Sendable () -> Void] = [:]

    /// How many of those that wait come later than this one.
    func countLater(than due: DispatchTime, _ number: Int) -> Int {
      var (low, high) = (0, waiting.count)
      while low < high {
        let middle = (low + high) / 2
        if (waiting[middle].due, waiting[middle].number) > (due, number) { low = middle + 1 } else { high = middle }
      }
      return low
    }

    /// At the latest in a minute, so that the source does not stay for a timer of next year that was called off.
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

  /// Some of those that are due together: others wait for the queue as well.
  private func fire() {
    for _ in 0..<32 {
      guard let timer = takeDue() else { break }
      // On a concurrent queue it must not hold up the others.
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

  /// One at a time: it may call the next one off.
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

  /// Releases the action outside the lock.
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
  /// Whole nanoseconds from zero to `Int.max`, the range that Dispatch accepts.
  package var clampedNanoseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < Int64(Int.max) / 1_000_000_000 else { return Int.max }
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
