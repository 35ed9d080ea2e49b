import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Synchronization

/// A strategy that answers by itself, at once or on a worker, as a function of the request's number.
final class EagerStrategy: FetchStrategy {
  typealias Answer = @Sendable (_ number: Int) -> Result<FetchedBody, FetchError>

  /// Completes once, by the answer or by a cancel.
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

  /// Without workers the answer comes inside `fetch`.
  init(on workers: (any Scheduler)? = nil, _ answer: @escaping Answer) {
    self.workers = workers
    self.answer = answer
  }

  /// Fetches begun.
  var requestCount: Int { begun.load(ordering: .relaxed) }
  /// Fetches completed.
  var endCount: Int { ended.load(ordering: .relaxed) }
  /// Handles that somebody still holds.
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
  /// An environment with this one strategy.
  static func eager(
    _ strategy: EagerStrategy, limits: FetchLimits = FetchLimits(deadline: nil), cache: ImageCache? = nil
  ) -> FetchEnvironment {
    let environment = FetchEnvironment(runtime: TrackedRuntime(), limits: limits, cache: cache)
    environment.strategy = strategy
    return environment
  }
}
