public import EventBus
public import Foundation

/// A way to fetch the bytes behind a URL.
///
/// The contract of ``fetch(_:completion:)``: it returns immediately and calls `completion` exactly once, on any
/// thread, also after a
/// cancel. Cancelling the handle twice or after the end has no effect. If the strategy knows the status, one outside
/// 200...299 is an error.
/// The strategy does not validate that the bytes are a picture. <doc:WritingAStrategy> shows an example.
public protocol FetchStrategy: Sendable {
  /// The name under which the strategy is selected.
  var name: StrategyName { get }
  /// The capabilities of the strategy.
  var capabilities: StrategyCapabilities { get }
  /// Starts a fetch. Any thread; never blocks the caller.
  ///
  /// - Parameters:
  ///   - request: the request. Its address has been validated against the policy, but not its redirects.
  ///   - completion: called exactly once, on any thread, possibly inside this call.
  /// - Returns: a handle that cancels the fetch. `completion` then gets `cancelled`, unless the fetch has already
  ///   ended.
  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation
}

/// The request for a strategy, with its limits.
public struct FetchRequest: Sendable {
  /// The address. The model has validated it against the policy. The strategy must validate redirects.
  public var url: URL
  /// The header fields to send, in order. `blocking` cannot send any.
  public var headers: [(name: String, value: String)]
  /// The policy for redirects.
  public var policy: TransportPolicy
  /// The limits. The model enforces the deadline and the retries, the strategy the size and the timeout.
  public var limits: FetchLimits
  /// Called on any thread with the number of bytes received so far and, if known, the total.
  public var progress: (@Sendable (_ received: Int, _ expected: Int?) -> Void)?
  /// Called on any thread with the head of the final response, whatever its status, if the strategy reports it.
  public var responded: (@Sendable (NetworkResponse) -> Void)?

  /// Makes a request. The defaults are the strictest policy and the default limits.
  public init(
    url: URL, headers: [(name: String, value: String)] = [], policy: TransportPolicy = TransportPolicy(),
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

  /// Makes the same request for a ``NetworkLoader``.
  ///
  /// - Parameter pool: the strategy. Requests of one strategy share connections.
  public func network(pool: StrategyName) -> NetworkRequest {
    NetworkRequest(url: url, headers: headers, timeoutSeconds: limits.timeoutSeconds, pool: pool.description)
  }
}

/// The complete response body.
public struct FetchedBody: Sendable, Equatable {
  /// The bytes, never more than the size limit.
  public var bytes: Data
  /// The HTTP status, if the strategy reports it.
  public var status: Int?
  /// The media type that the server states. The model detects the format from the bytes instead.
  public var contentType: String?

  /// Makes a body with these bytes.
  public init(bytes: Data, status: Int? = nil, contentType: String? = nil) {
    self.bytes = bytes
    self.status = status
    self.contentType = contentType
  }
}
