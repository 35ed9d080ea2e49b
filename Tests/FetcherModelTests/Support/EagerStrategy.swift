import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Synchronization

/// A strategy that completes each fetch without the test, immediately or on a worker. The request's number determines
/// the result.
final class EagerStrategy: FetchStrategy {
  typealias Answer = @Sendable (_ number: Int) -> Result<FetchedBody, FetchError>

  /// A fetch that completes once, with the result or with a cancel.
  private final class Flight: Cancellation {
    let isOver = Atomic(false)
    let completion: @Sendable (Result<FetchedBody, FetchError>) -> Void
    let owner: EagerStrategy

    init(_ owner: EagerStrategy, _ completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void) {
      self.owner = owner
      self.completion = completion
      owner.living.add(1, ordering: .relaxed)
    }

    deinit { owner.living.subtract(1, ordering: .relaxed) }

    func end(_ result: Result<FetchedBody, FetchError>) {
      guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
      owner.ended.add(1, ordering: .relaxed)
      completion(result)
    }

    func cancel() { end(.failure(.cancelled)) }
  }

  let name: StrategyName = "eager"
  let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true, note: "answers by itself")
  private let begun = Atomic(0)
  private let ended = Atomic(0)
  private let living = Atomic(0)
  private let workers: (any Scheduler)?
  private let answer: Answer

  /// Creates a strategy. Without workers, it completes inside `fetch`.
  init(on workers: (any Scheduler)? = nil, _ answer: @escaping Answer) {
    self.workers = workers
    self.answer = answer
  }

  /// The number of fetches that have started.
  var requestCount: Int { begun.load(ordering: .relaxed) }
  /// The number of fetches that have completed.
  var endCount: Int { ended.load(ordering: .relaxed) }
  /// The number of handles that are still retained.
  var livingHandles: Int { living.load(ordering: .relaxed) }

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let number = begun.add(1, ordering: .relaxed).oldValue
    let flight = Flight(self, completion)
    if let workers {
      workers.schedule { [answer] in
        request.progress?(1, 2)
        flight.end(answer(number))
      }
    } else {
      flight.end(answer(number))
    }
    return flight
  }
}

extension FetchEnvironment {
  /// Returns an environment with only this strategy.
  static func eager(
    _ strategy: EagerStrategy, limits: FetchLimits = FetchLimits(deadline: nil), maximumInFlight: Int? = nil,
    cache: ImageCache? = nil
  ) -> FetchEnvironment {
    let environment = FetchEnvironment(
      bus: EventBus(runtime: TrackedRuntime()), limits: limits, maximumInFlight: maximumInFlight, cache: cache)
    environment.use(strategy)
    return environment
  }
}
