import EventBus

/// The machine that all tests share, lent to one suite at a time.
///
/// Suites of different targets run beside each other in one process. Those that count its threads and files, or
/// measure time, would see each other.
public final class TestMachine: Sendable {
  private struct State {
    var isLent = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The one machine.
  public static let shared = TestMachine()

  private let state = Locked(State())

  private init() {}

  /// Runs `body` while no other borrower runs. First come, first served; never borrow inside `body`.
  public func borrow(_ body: () async throws -> Void) async rethrows {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        defer { state.isLent = true }
        if state.isLent { state.waiters.append(continuation) }
        return !state.isLent
      }
      if isFree { continuation.resume() }
    }
    defer { giveBack() }
    try await body()
  }

  private func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiters.isEmpty else {
        state.isLent = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume()
  }
}
