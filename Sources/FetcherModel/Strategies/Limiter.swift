import EventBus

/// Lets at most so many through at once, the others in the order they came. Never blocks.
final class Limiter: Sendable {
  /// Uses the place it is given and returns true, or declines it.
  typealias Entry = @Sendable () -> Bool

  private struct State {
    var free: Int
    var waiting: [Entry] = []
    var head = 0
  }
  private let state: Locked<State>

  init(_ limit: Int) { state = Locked(State(free: max(1, limit))) }

  /// Runs `entry` now if there is a place, else when one is left.
  func enter(_ entry: @escaping Entry) {
    let isFree = state.withLock { state in
      guard state.free > 0 else {
        state.waiting.append(entry)
        return false
      }
      state.free -= 1
      return true
    }
    if isFree, !entry() { leave() }
  }

  /// Gives a place back. A loop, not a recursion: thousands of those who wait may decline.
  func leave() {
    while let next = takeNext() {
      if next() { return }
    }
  }

  private func takeNext() -> Entry? {
    state.withLock { state in
      guard state.head < state.waiting.count else {
        state.waiting = []
        state.head = 0
        state.free += 1
        return nil
      }
      defer {
        state.head += 1
        if state.head > 64, state.head * 2 > state.waiting.count {
          state.waiting.removeFirst(state.head)
          state.head = 0
        }
      }
      return state.waiting[state.head]
    }
  }
}
