import Dispatch
import Harness
import Synchronization

/// Fetches one after the other, a few at once.
enum ClosedLoad {
  /// As many connections as each contender has.
  static let inFlight = 6

  /// Starts a fetch of the number and calls back, on any thread, when that has succeeded.
  typealias Fetch = @Sendable (_ number: Int, _ done: @escaping @Sendable () -> Void) -> Void

  private final class Progress: Sendable {
    let begun = Atomic(0)
    let ended = Atomic(0)
  }

  /// Fetches so often as told, and returns when the last has ended.
  static func work(_ fetch: @escaping Fetch) -> Contender.Work {
    { repetitions in
      let progress = Progress()
      let end = DispatchSemaphore(value: 0)
      @Sendable func next() {
        let number = progress.begun.add(1, ordering: .relaxed).newValue
        guard number <= repetitions else { return }
        fetch(number) {
          let ended = progress.ended.add(1, ordering: .acquiringAndReleasing).newValue
          if ended == repetitions { end.signal() } else { next() }
        }
      }
      for _ in 0..<inFlight { next() }
      end.wait()
    }
  }
}
