public import EventBus
public import Foundation

/// Fetches with `Data(contentsOf:)`, which blocks its thread until the whole body has arrived. Use it as a baseline,
/// or in scripts.
///
/// - **thread**: blocks a thread of the global queue; by default at most eight, and further reads wait in line.
/// - **cancel**: the fetch completes at once with `cancelled`. The read continues and keeps its thread blocked.
/// - **status**: unknown. A 404, an unknown host and a lost connection all fail with code 256.
/// - **progress**: none.
/// - **memory**: holds the whole body before it can apply the size limit.
/// - **connections**: on Linux, a new session and a new connection for each read.
///
/// On Linux, a response with a challenge for credentials (401) blocks its thread forever. After eight of them, no read
/// starts.
public struct BlockingStrategy: FetchStrategy {
  /// The name under which the strategy is selected.
  public let name: StrategyName
  /// None: a blocking read cannot be stopped, and it reports nothing until it returns.
  public let capabilities = StrategyCapabilities(
    note: "Data(contentsOf:) on the global queue; a connection per call, and every failure is code 256")
  private let loader: any BlockingReads
  private let limiter: Limiter
  /// The schedulers that no read uses now. There is one for each permit of the limiter.
  private let free: Locked<[any Scheduler]>

  /// Creates a strategy with its own permits. Copies share them.
  ///
  /// - Parameters:
  ///   - name: the name under which it is registered.
  ///   - runtime: its `workers` are blocked: with `DispatchRuntime` they are the global queue at `.userInitiated`.
  ///   - loader: the network.
  ///   - maximumInFlight: how many reads may block at once; the others wait, first in, first out.
  ///   - usesOwnQueues: whether each permit has a dedicated serial queue, which gets a thread sooner than the global
  ///     queue.
  public init(
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
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    // cancel: the first of result and cancel completes. A queued read is removed; a started one continues, and its
    // bytes are dropped.
    let once = OneShot<Result<FetchedBody, FetchError>>(cancelled: .failure(.cancelled))
    _ = once.start(completion)
    let queuedEntry = limiter.enter { [loader, limiter, free] in
      guard let scheduler = free.withLock({ $0.popLast() }) else {
        preconditionFailure("Internal inconsistency: more reads than permits")
      }
      // thread: this closure returns only when the read does.
      scheduler.schedule {
        // A cancel may have come first.
        if once.isOpen { once.end(Self.read(request, loader)) }
        free.withLock { $0.append(scheduler) }
        limiter.leave()
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
  /// Reads with `Data(contentsOf:)`, which times out after 60 seconds without data.
  public func contents(of url: URL) throws(NetworkError) -> Data {
    #if canImport(FoundationNetworking)
      // Foundation rejects IPv6 literals, and here the reason would be lost (swift-corelibs-foundation #5496).
      guard url.host?.contains(":") != true else { throw NetworkError(code: NSURLErrorBadURL) }
    #endif
    do {
      // connections: Foundation on Linux creates a session for this call and destroys it afterwards.
      return try Data(contentsOf: url.withSmallScheme)
    } catch {
      // status: Foundation throws code 256 for a 404 and for every failure of the network, and no response.
      throw NetworkError(code: (error as? CocoaError)?.code.rawValue ?? (error as NSError).code)
    }
  }
}
