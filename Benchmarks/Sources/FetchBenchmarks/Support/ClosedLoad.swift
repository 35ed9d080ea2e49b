import Dispatch
import Harness
import Synchronization

/// A closed load: a fixed number of fetches in flight. Each fetch that ends starts the next.
enum ClosedLoad {
  /// The number of connections of each contender.
  static let inFlight = 6

  /// Starts the fetch with the given number. Calls back on any thread when the fetch succeeds.
  typealias Fetch = @Sendable (_ number: Int, _ done: @escaping @Sendable () -> Void) -> Void

  private final class Progress: Sendable {
    let begun = Atomic(0)
    let ended = Atomic(0)
  }

  /// Performs the given number of fetches, and returns when the last one ends.
  static func work(_ fetch: @escaping Fetch, inFlight: Int = inFlight) -> Contender.Work {
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
