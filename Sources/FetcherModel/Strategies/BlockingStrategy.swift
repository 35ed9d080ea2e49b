package import Foundation
package import Scheduling

/// Fetches with `Data(contentsOf:)`, which blocks its thread until the whole body has arrived. A baseline, for scripts.
///
/// - **thread**: each read blocks a thread of the global queue; by default, at most eight run and further reads wait.
/// - **cancel**: the fetch completes immediately with `cancelled`. The read continues and keeps its thread blocked.
/// - **status**: unknown. Each failure has code 256. On Linux, 101, 300...399, 401 and 407 count as success.
/// - **progress**: not reported.
/// - **memory**: holds the whole body before it can apply the size limit.
/// - **connections**: on Linux, opens a new session and a new connection for each read.
///
/// On Linux, a redirect is followed without validation, also to this machine through a proxy of the environment. A
/// response that requires credentials (401) blocks its thread forever. After eight such responses, no more
/// reads start.
package struct BlockingStrategy: FetchStrategy {
  /// The name under which the strategy is selected.
  package let name: StrategyName
  /// None, because a blocking read cannot be stopped and reports nothing until it returns.
  package let capabilities = StrategyCapabilities(
    sendsHeaders: false,
    note: "Data(contentsOf:) on the global queue; a connection per call, and every failure has error code 256")
  private let loader: any BlockingReads
  private let limiter: Limiter
  /// The idle schedulers. The strategy has one scheduler for each permit of the limiter.
  private let free: Locked<[any Scheduler]>

  /// Creates a strategy with its own permits. Copies of the strategy share them.
  ///
  /// - Parameters:
  ///   - name: the name under which it is registered.
  ///   - runtime: the runtime whose `workers` are blocked. With `DispatchRuntime`, the workers are the global queue at
  ///     `.userInitiated`.
  ///   - loader: the network.
  ///   - maximumInFlight: the maximum number of reads that block at the same time. Further reads wait in order.
  ///   - usesOwnQueues: whether each permit has its own serial queue, which gets a thread sooner than the global one.
  package init(
    name: StrategyName = .blocking, runtime: any Runtime = DispatchRuntime.shared,
    loader: any BlockingReads = SystemLoader.shared, maximumInFlight: Int = 8, usesOwnQueues: Bool = false
  ) {
    let permits = max(1, maximumInFlight)
    self.name = name
    self.loader = loader
    limiter = Limiter(permits)
    free = Locked((1...permits).map { usesOwnQueues ? runtime.serial("\(name) \($0)") : runtime.workers })
  }

  /// Waits in line for a permit, then reads on a worker.
  package func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    // cancel: the fetch completes with the result or the cancellation, whichever comes first. A queued read is removed;
    // a started read continues, and its bytes are dropped.
    let once = OneShot<Result<FetchedBody, FetchError>>(cancelled: .failure(.cancelled))
    _ = once.start(completion)
    let queuedEntry = limiter.acquire { [loader, limiter, free] in
      guard let scheduler = free.withLock({ $0.popLast() }) else {
        preconditionFailure("Internal inconsistency: more reads than permits")
      }
      // thread: this closure does not return until the read does.
      scheduler.schedule {
        // The read may have been cancelled in the meantime.
        if once.isOpen { once.endWork(Self.read(request, loader)) }
        free.withLock { $0.append(scheduler) }
        limiter.release()
      }
    }
    once.hold(queuedEntry)
    return once
  }

  private static func read(_ request: FetchRequest, _ loader: any BlockingReads) -> Result<FetchedBody, FetchError> {
    do throws(NetworkError) {
      // progress: none of our code runs during this call.
      let bytes = try loader.contents(of: request.url)
      // memory: the whole body has arrived before its length is known.
      return bytes.count <= request.limits.maximumBytes ? .success(FetchedBody(bytes: bytes)) : .failure(.tooLarge)
    } catch {
      return .failure(error.asFetchError)
    }
  }
}

extension SystemLoader {
  /// Reads with `Data(contentsOf:)`, which times out if no data arrives for 60 seconds.
  package func contents(of url: URL) throws(NetworkError) -> Data {
    #if canImport(FoundationNetworking)
      // Foundation rejects IPv6 literals (swift-corelibs-foundation #5496), and a blocking read does not say why.
      if url.host?.contains(":") == true { throw NetworkError(code: NSURLErrorBadURL) }
      if let refusal = EnvironmentProxy.refusal(of: url) { throw refusal }
    #endif
    do {
      // connections: Foundation on Linux creates a session for this call and destroys it afterwards.
      return try Data(contentsOf: url.withSmallScheme)
    } catch {
      // status: Foundation throws code 256 for a 404 and for every network failure, and provides no response.
      throw NetworkError(code: (error as? CocoaError)?.code.rawValue ?? (error as NSError).code)
    }
  }
}
