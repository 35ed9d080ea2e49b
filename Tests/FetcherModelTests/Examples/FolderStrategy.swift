import EventBus
import FetcherModel
import Foundation
import Synchronization

/// Answers from a folder instead of the network, by the last part of the address.
struct FolderStrategy: FetchStrategy {
  let name = "folder"
  let capabilities = StrategyCapabilities(
    canCancel: false, seesStatus: false, reportsProgress: false, seesRedirects: true,
    note: "files of a folder; a cancel drops the result")
  let folder: URL
  var runtime: any Runtime = DispatchRuntime.shared

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let ending = Ending(completion)
    // Never on the caller's thread: it may be main, and a disk can be slow.
    runtime.workers.schedule { ending.reach(read(request)) }
    return ending
  }

  private func read(_ request: FetchRequest) -> Result<FetchedBody, FetchError> {
    let file = folder.appendingPathComponent(request.url.lastPathComponent)
    guard let bytes = try? Data(contentsOf: file) else { return .failure(.badStatus(404)) }
    guard bytes.count <= request.limits.maximumBytes else { return .failure(.tooLarge) }
    return .success(FetchedBody(bytes: bytes))
  }
}

/// Completes exactly once: with the result or with a cancel, whichever comes first.
private final class Ending: Cancellation {
  private let isReached = Atomic(false)
  private let completion: @Sendable (Result<FetchedBody, FetchError>) -> Void

  init(_ completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void) { self.completion = completion }

  func reach(_ result: Result<FetchedBody, FetchError>) {
    if !isReached.exchange(true, ordering: .acquiringAndReleasing) { completion(result) }
  }

  func cancel() { reach(.failure(.cancelled)) }
}
