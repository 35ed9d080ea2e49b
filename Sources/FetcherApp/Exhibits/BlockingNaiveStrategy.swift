import Dispatch
import EventBus
import FetcherModel
import Foundation

/// The exhibit of a starved pool: a blocking read on the global queue of default quality, as many at once as are asked
/// for.
///
/// Each read parks a thread of the pool until Foundation, which needs a thread of the same pool, has the bytes. On Linux
/// the pool has one thread per core and grows by one a second. Never in the registry of an application.
struct BlockingNaiveStrategy: FetchStrategy {
  let name: StrategyName = "blocking-naive"
  let capabilities = StrategyCapabilities(
    note: "Data(contentsOf:) on the global queue at default priority, unbounded: the pool starves")

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    DispatchQueue.global().async {
      let bytes = try? Data(contentsOf: request.url)
      completion(bytes.map { .success(FetchedBody(bytes: $0)) } ?? .failure(.transport(256)))
    }
    return NoCancellation()
  }

  private struct NoCancellation: Cancellation {
    func cancel() {}
  }
}
