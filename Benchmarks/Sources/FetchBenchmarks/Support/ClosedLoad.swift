import Dispatch
import EventBus
import Harness

/// Fetches one after the other, a few at once.
enum ClosedLoad {
  /// As many connections as each contender has.
  static let inFlight = 6

  /// Starts a fetch of the number and calls back, on any thread, when that has succeeded.
  typealias Fetch = @Sendable (_ number: Int, _ done: @escaping @Sendable () -> Void) -> Void

  private struct State {
    var begun = 0
    var ended = 0
  }

  /// Fetches so often as told, and returns when the last has ended.
  static func work(_ fetch: @escaping Fetch) -> Contender.Work {
    { repetitions in
      let state = Locked(State())
      let end = DispatchSemaphore(value: 0)
      @Sendable func next() {
        let number = state.withLock { state -> Int? in
          guard state.begun < repetitions else { return nil }
          state.begun += 1
          return state.begun
        }
        guard let number else { return }
        fetch(number) {
          let isLast = state.withLock { state in
            state.ended += 1
            return state.ended == repetitions
          }
          isLast ? _ = end.signal() : next()
        }
      }
      for _ in 0..<inFlight { next() }
      end.wait()
    }
  }
}
