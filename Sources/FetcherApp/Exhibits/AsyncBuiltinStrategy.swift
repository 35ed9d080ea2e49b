import EventBus
import FetcherModel
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The exhibit of a deadlock: the async call that Foundation has built in.
///
/// On Linux a cancel holds the lock of its task and waits for the queue that all sessions share, while that queue may wait
/// for the lock to hand over an answer (swift-corelibs-foundation #5412). Never in the registry of an application.
struct AsyncBuiltinStrategy: FetchStrategy {
  let name: StrategyName = "async-builtin"
  let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true,
    note: "URLSession.data(for:): a cancel can stop every session of the process for ever")

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let task = DispatchRuntime.shared.task {
      do {
        let (bytes, response) = try await URLSession.shared.data(for: URLRequest(url: request.url))
        completion(.success(FetchedBody(bytes: bytes, status: (response as? HTTPURLResponse)?.statusCode)))
      } catch {
        completion(.failure(NetworkError(code: (error as? URLError)?.code.rawValue ?? -1).asFetchError))
      }
    }
    return TaskCancellation(task: task)
  }

  private struct TaskCancellation: Cancellation {
    let task: Task<Void, Never>
    func cancel() { task.cancel() }
  }
}
