public import EventBus
public import Foundation

/// Fetches with `Data(contentsOf:)`, which blocks its thread until the whole body has arrived.
///
/// - **thread**: blocks a thread of the global queue, eight at most; further reads wait in line.
/// - **cancel**: ends the fetch at once with `cancelled`, but not the read: its thread stays blocked until the server is done.
/// - **status**: unknown; a 404, an unknown host and a lost connection are all code 256.
/// - **progress**: none.
/// - **memory**: the whole body, before the size limit can be tested.
/// - **connections**: a new session and a new connection for each read.
///
/// On Linux, a challenge for credentials (401) blocks its thread forever. After eight of them, this strategy reads nothing.
public struct BlockingStrategy: FetchStrategy {
  /// The name under which the strategy is selected.
  public let name: String
  /// No cancel of the read, no status, no progress, no redirects: a blocking read reports nothing before its end.
  public let capabilities = StrategyCapabilities(
    canCancel: false, seesStatus: false, reportsProgress: false, seesRedirects: false,
    note: "Data(contentsOf:) on the global queue; a connection per call, and every failure is code 256")
  private let loader: any BlockingReads
  private let limiter: Limiter
  /// The schedulers without a blocked thread. A read that has a permit of the limiter finds one.
  private let free: Locked<[any Scheduler]>

  /// A strategy with its own permits; a copy shares them.
  ///
  /// - Parameters:
  ///   - name: the name to register it by.
  ///   - runtime: its `workers` are blocked: with ``DispatchRuntime`` they are the global queue at `.userInitiated`.
  ///   - loader: the network.
  ///   - maximumInFlight: how many reads may block at once; the others wait, first in, first out.
  ///   - usesOwnQueues: whether each permit has a dedicated serial queue, which starts sooner than a thread of the pool.
  public init(
    name: String = "blocking", runtime: any Runtime = DispatchRuntime.shared,
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
    // cancel: the first of result and cancel completes. A read in line is removed; one that has begun goes on, unseen.
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
      // progress: no code runs between the begin and the end of this call.
      let bytes = try loader.contents(of: request.url)
      // memory: all bytes have arrived before they can be counted.
      return bytes.count <= request.limits.maximumBytes ? .success(FetchedBody(bytes: bytes)) : .failure(.tooLarge)
    } catch {
      return .failure(error.asFetchError)
    }
  }
}

extension SystemLoader {
  /// Reads with `Data(contentsOf:)`: a separate session and connection for each call, an idle timeout of 60 seconds.
  public func contents(of url: URL) throws(NetworkError) -> Data {
    #if canImport(FoundationNetworking)
      // Tasks report this address as invalid; here the reason would be lost (swift-corelibs-foundation #5496).
      guard url.host?.contains(":") != true else { throw NetworkError(code: NSURLErrorBadURL) }
    #endif
    do {
      // connections: Foundation makes a session for this call, and drops it.
      return try Data(contentsOf: url.withSmallScheme)
    } catch {
      // status: the answer is gone; Foundation throws code 256 for a 404 and for a lost connection.
      throw NetworkError(code: (error as? CocoaError)?.code.rawValue ?? (error as NSError).code)
    }
  }
}
