import EventBus

/// Seats that tests take for as long as they run, first come, first served.
public final class Seats: Sendable {
  private struct State {
    var free: Int
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The one machine that all tests share, lent to one suite at a time.
  ///
  /// Suites of different targets run beside each other in one process. Those that count its threads and files, or
  /// measure time, would see each other.
  public static let machine = Seats(1)

  private let state: Locked<State>

  /// Seats for so many tests at once.
  public init(_ count: Int) { state = Locked(State(free: count)) }

  /// Runs `body` on a seat. Never take another one of the same inside `body`.
  public func take(_ body: () async throws -> Void) async rethrows {
    await withCheckedContinuation { continuation in
      let isSeated = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiters.append(continuation)
        return false
      }
      if isSeated { continuation.resume() }
    }
    defer { giveBack() }
    try await body()
  }

  private func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiters.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume()
  }
}
