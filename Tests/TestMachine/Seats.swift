import EventBus

/// A FIFO semaphore. Each running test takes one of its seats.
public final class Seats: Sendable {
  private struct State {
    var free: Int
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The machine that all tests share, which one suite at a time can reserve.
  ///
  /// Suites of different targets run concurrently in one process. A suite that counts threads and files or measures
  /// time would measure the others, too.
  public static let machine = Seats(1)

  private let state: Locked<State>

  /// Creates seats for `count` concurrent tests.
  public init(_ count: Int) { state = Locked(State(free: count)) }

  /// Waits for a free seat and runs `body`. Do not call this method on the same seats inside `body`.
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
