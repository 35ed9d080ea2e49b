import EventBus

/// Grants a limited number of permits, first come, first served. Never blocks.
package final class Limiter: Sendable {
  private struct Entry {
    let call: @Sendable () -> Void
  }

  private struct State {
    var free: Int
    var entries: [Int: Entry] = [:]
    /// The entry numbers in order of arrival, including those of some cancelled entries.
    var line = RingBuffer<Int>()
    var last = 0

    mutating func takeNext() -> Entry? {
      while let number = line.popFirst() {
        if let entry = entries.removeValue(forKey: number) { return entry }
      }
      free += 1
      return nil
    }

    mutating func remove(_ number: Int) -> Entry? {
      let entry = entries.removeValue(forKey: number)
      if line.count > 2 * entries.count + 64 { _ = line.removeAll { entries[$0] == nil } }
      return entry
    }
  }

  private struct QueuedEntry: Cancellation {
    let limiter: Limiter
    let number: Int

    func cancel() { withExtendedLifetime(limiter.state.withLock { $0.remove(number) }) {} }
  }

  private let state: Locked<State>

  package init(_ limit: Int) { state = Locked(State(free: max(1, limit))) }

  /// Calls `entry` when a permit is free, possibly synchronously. Each entry must call ``release()`` exactly
  /// once, after `entry` has returned.
  ///
  /// - Returns: a handle that cancels the wait and releases `entry`. After `entry` has been called, the handle has no
  ///   effect.
  package func acquire(_ entry: @escaping @Sendable () -> Void) -> any Cancellation {
    let number = state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return 0
      }
      state.last += 1
      state.entries[state.last] = Entry(call: entry)
      state.line.append(state.last)
      return state.last
    }
    if number == 0 { entry() }
    return QueuedEntry(limiter: self, number: number)
  }

  /// Releases a permit and grants it to the next entry in line.
  package func release() { state.withLock { $0.takeNext() }?.call() }
}
