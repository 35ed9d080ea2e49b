public import EventBus
public import Foundation

/// A way to fetch the bytes behind a URL.
///
/// The contract of ``fetch(_:completion:)``: it returns immediately and calls `completion` exactly once, on any thread,
/// even after a cancellation. Cancelling the handle twice, or after the fetch has ended, has no effect. If the strategy
/// knows the status, a status outside 200...299 is an error. The strategy does not validate that the bytes form a
/// picture. <doc:WritingAStrategy> shows an example.
public protocol FetchStrategy: Sendable {
  /// The name under which the strategy is selected.
  var name: StrategyName { get }
  /// The capabilities of the strategy.
  var capabilities: StrategyCapabilities { get }
  /// Starts a fetch. Can be called from any thread, and never blocks the caller.
  ///
  /// - Parameters:
  ///   - request: the request. Its URL has been validated against the policy, but its redirects have not.
  ///   - completion: a closure called exactly once, on any thread, possibly synchronously.
  /// - Returns: a handle that cancels the fetch. `completion` then receives `cancelled`, unless the fetch has already
  ///   ended.
  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation
}

extension FetchStrategy {
  /// Fetches, and waits for the result. Cancelling the calling task cancels the fetch, and throws `cancelled`
  /// immediately.
  ///
  /// - Throws: the error of the fetch, or `cancelled`. A strategy that cannot send the request, such as `blocking` one with
  ///   header fields, throws the error with which an environment rejects it.
  public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchedBody {
    try request.policy.validate(request.url, hasHeaders: !request.headers.isEmpty, capabilities, of: name)
    return try await OneShot<Result<FetchedBody, FetchError>>.value(cancelled: .failure(.cancelled)) {
      fetch(request, completion: $0)
    }.get()
  }
}

/// What an environment provides to the strategies that it creates.
public struct StrategyContext: Sendable {
  /// The runtime for timers and tasks, which a test can replace.
  public let runtime: any Runtime
  package let loader: any NetworkLoader
  /// The built-in strategies that were asked for.
  private let builtIn = Locked<[StrategyName: any FetchStrategy]>([:])

  package init(runtime: any Runtime, loader: any NetworkLoader) {
    self.runtime = runtime
    self.loader = loader
  }

  /// Returns another strategy on the same runtime and network, for a strategy that sends its requests with it. The
  /// environment does not register the other strategy.
  ///
  /// - Parameter factory: the factory of the other strategy. A context has one strategy of each built-in factory, such
  ///   as ``StrategyFactory/blocking``, which limits its reads. Any other factory creates a strategy on each call.
  public func strategy(_ factory: StrategyFactory) -> any FetchStrategy {
    guard let name = factory.builtInName else { return factory.make(self) }
    if let known = builtIn.withLock({ $0[name] }) { return known }
    // A factory calls the runtime, so the lock is not held.
    let new = factory.make(self)
    return builtIn.withLock { all in
      let kept = all[name] ?? new
      all[name] = kept
      return kept
    }
  }

  /// Waits on the runtime, so that a test with another runtime needs no real time.
  ///
  /// - Throws: `cancelled`, if the calling task is cancelled before the end of the wait.
  public func sleep(for duration: Duration) async throws(FetchError) {
    try await OneShot<Result<Void, FetchError>>.value(cancelled: .failure(.cancelled)) { end in
      runtime.workers.schedule(after: duration) { end(.success(())) }
    }.get()
  }
}

/// Creates a strategy on the runtime and the network of an environment.
///
/// ```swift
/// let environment = FetchEnvironment(strategy: .async)
/// let offline = FetchEnvironment(strategy: folderStrategy(pictures))
/// let patient = FetchEnvironment(strategy: .blocking("patient", maximumInFlight: 2))
/// let counted = FetchEnvironment(strategy: StrategyFactory { CountingStrategy(base: $0.strategy(.dataTask)) })
/// ```
public struct StrategyFactory: Sendable {
  package let make: @Sendable (StrategyContext) -> any FetchStrategy
  /// The name of a strategy that each environment registers, or nil for any other strategy.
  let builtInName: StrategyName?

  /// Creates a factory from a closure, which an environment calls once for each `init` and `register`.
  ///
  /// - Parameter make: a closure that returns the strategy.
  public init(_ make: @escaping @Sendable (StrategyContext) -> any FetchStrategy) { self.init(builtIn: nil, make) }

  package init(builtIn name: StrategyName?, _ make: @escaping @Sendable (StrategyContext) -> any FetchStrategy) {
    self.make = make
    builtInName = name
  }
}

/// A request to a strategy, with its limits.
public struct FetchRequest: Sendable {
  /// The URL, which the model has validated against the policy. The strategy must validate redirects.
  public var url: URL
  /// The header fields to send, in order. A redirect to another server (scheme, host or port) omits them, except for
  /// `Accept`, `Accept-Charset`, `Accept-Encoding`, `Accept-Language`, `Range` and `User-Agent`. `blocking` cannot send
  /// header fields.
  public var headers: HTTPHeaders
  /// The policy for redirects.
  public var policy: TransportPolicy
  /// The limits. The model enforces the deadline and the number of retries; the strategy enforces the size limit and
  /// the idle timeout.
  public var limits: FetchLimits
  /// Called on any thread with the number of bytes received so far and the total, if known.
  public var progress: (@Sendable (_ received: Int, _ expected: Int?) -> Void)?
  /// If the strategy reports response heads, called on any thread with the head of the final response, whatever its
  /// status.
  public var responded: (@Sendable (NetworkResponse) -> Void)?

  /// Creates a request. The defaults are the strictest policy and the default limits.
  public init(
    url: URL, headers: HTTPHeaders = [:], policy: TransportPolicy = TransportPolicy(),
    limits: FetchLimits = FetchLimits(),
    progress: (@Sendable (_ received: Int, _ expected: Int?) -> Void)? = nil,
    responded: (@Sendable (NetworkResponse) -> Void)? = nil
  ) {
    self.url = url
    self.headers = headers
    self.policy = policy
    self.limits = limits
    self.progress = progress
    self.responded = responded
  }

  /// Converts the request into the form that a `NetworkLoader` accepts.
  ///
  /// - Parameter pool: the strategy's name. All requests of one strategy share connections.
  package func network(pool: StrategyName) -> NetworkRequest {
    NetworkRequest(
      url: url, headers: headers, idleTimeout: limits.idleTimeout, pool: pool.description,
      maximumBytes: limits.maximumBytes)
  }
}

/// A complete response body.
public struct FetchedBody: Sendable, Equatable {
  /// The bytes, never more than the size limit.
  public var bytes: Data
  /// The HTTP status, if the strategy reports it.
  public var status: Int?
  /// The media type stated by the server. The model ignores it and detects the format from the bytes.
  public var contentType: String?

  /// Creates a body with these bytes.
  public init(bytes: Data, status: Int? = nil, contentType: String? = nil) {
    self.bytes = bytes
    self.status = status
    self.contentType = contentType
  }
}
