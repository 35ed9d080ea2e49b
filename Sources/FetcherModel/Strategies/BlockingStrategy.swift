public import EventBus
import Foundation

/// Fetches with a call that blocks a worker, as the first version of many an app does.
///
/// The number of blocked workers is bounded: the pool of Dispatch on Linux has one thread per core and grows slowly.
/// A cancel drops the result only; the worker stays blocked until the network is done.
public struct BlockingStrategy: FetchStrategy {
  public let name: String
  public let capabilities = StrategyCapabilities(
    canCancel: false, seesStatus: false, reportsProgress: false, seesRedirects: false,
    note: "Data(contentsOf:) on a worker; a connection per call, and every failure is code 256")
  private let runtime: any Runtime
  private let loader: any NetworkLoader
  private let limiter: Limiter

  /// - Parameter maximumInFlight: how many workers may be blocked at once.
  public init(
    name: String = "blocking", runtime: any Runtime = DispatchRuntime.shared,
    loader: any NetworkLoader = FoundationLoader.shared, maximumInFlight: Int = 8
  ) {
    self.name = name
    self.runtime = runtime
    self.loader = loader
    self.limiter = Limiter(maximumInFlight)
  }

  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let once = Once(completion)
    limiter.enter { [runtime, loader, limiter] in
      guard once.isOpen else { return false }
      runtime.workers.schedule {
        once.complete(Self.read(request, loader))
        limiter.leave()
      }
      return true
    }
    return once
  }

  private static func read(_ request: FetchRequest, _ loader: any NetworkLoader) -> Result<FetchedBody, FetchError> {
    do throws(NetworkError) {
      let bytes = try loader.contents(of: request.url)
      guard bytes.count <= request.limits.maximumBytes else { return .failure(.tooLarge) }
      return .success(FetchedBody(bytes: bytes))
    } catch {
      return .failure(error.asFetchError)
    }
  }
}

/// A completion that is called once, by the result or by a cancel.
private final class Once: Cancellation {
  typealias Completion = @Sendable (Result<FetchedBody, FetchError>) -> Void
  private let completion: Locked<Completion?>

  init(_ completion: @escaping Completion) { self.completion = Locked(completion) }

  var isOpen: Bool { completion.withLock { $0 != nil } }

  func complete(_ result: Result<FetchedBody, FetchError>) {
    let completion = completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    completion?(result)
  }

  func cancel() { complete(.failure(.cancelled)) }
}
