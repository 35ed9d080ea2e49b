public import EventBus
import Foundation

/// Fetches with a call that blocks a thread, as the first version of many an app does.
///
/// The number of blocked threads is bounded: the pool of Dispatch on Linux has one thread per core and grows slowly.
/// A cancel drops the result only; the thread stays blocked, and its permit taken, until the network is done. On Linux that
/// is never after a challenge for credentials (401): so many of them as there are permits, and nothing is read any more.
public struct BlockingStrategy: FetchStrategy {
  /// The name under which the strategy is selected.
  public let name: String
  /// No cancel, no status, no progress, no redirects: a blocking read reports nothing before its end.
  public let capabilities = StrategyCapabilities(
    canCancel: false, seesStatus: false, reportsProgress: false, seesRedirects: false,
    note: "Data(contentsOf:) on a worker; a connection per call, and every failure is code 256")
  private let loader: any NetworkLoader
  private let limiter: Limiter
  /// The schedulers that may be blocked and are not. Whoever has a permit of the limiter finds one.
  private let free: Locked<[any Scheduler]>

  /// A strategy with permits of its own; a copy shares them.
  ///
  /// - Parameters:
  ///   - name: the name to register it by.
  ///   - runtime: where the blocked workers come from.
  ///   - loader: the network.
  ///   - maximumInFlight: how many reads may block at once; the others wait, first come first served.
  ///   - usesOwnQueues: whether each permit has a serial queue of its own, which starts sooner than a worker of the pool.
  public init(
    name: String = "blocking", runtime: any Runtime = DispatchRuntime.shared,
    loader: any NetworkLoader = SystemLoader.shared, maximumInFlight: Int = 8, usesOwnQueues: Bool = false
  ) {
    let permits = max(1, maximumInFlight)
    self.name = name
    self.loader = loader
    limiter = Limiter(permits)
    free = Locked((1...permits).map { usesOwnQueues ? runtime.serial("\(name) \($0)") : runtime.workers })
  }

  /// Waits for a permit and reads there. A cancel completes with `cancelled` at once.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let once = OneShot<Result<FetchedBody, FetchError>>(cancelled: .failure(.cancelled))
    _ = once.start(completion)
    let queuedEntry = limiter.enter { [loader, limiter, free] in
      guard let scheduler = free.withLock({ $0.popLast() }) else {
        preconditionFailure("Internal inconsistency: more reads than permits")
      }
      scheduler.schedule {
        // It may have been cancelled on its way to the thread.
        if once.isOpen { once.end(Self.read(request, loader)) }
        free.withLock { $0.append(scheduler) }
        limiter.leave()
      }
    }
    once.hold(queuedEntry)
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
