public import EventBus
public import Foundation

/// A way to fetch the bytes behind a URL.
///
/// The contract of ``fetch(_:completion:)``: it returns at once; it calls `completion` exactly once, on any thread, also
/// after a cancel; cancelling the handle twice, or after the end, does nothing. A status outside 200...299 is an error
/// where the strategy can see it. The bytes are not validated to be a picture. <doc:WritingAStrategy> shows one.
public protocol FetchStrategy: Sendable {
  /// The name under which the strategy is selected.
  var name: StrategyName { get }
  /// What the strategy can do.
  var capabilities: StrategyCapabilities { get }
  /// Starts fetching. Any thread, and never blocks it.
  ///
  /// - Parameters:
  ///   - request: what to fetch. The address has been validated with the policy, not for redirects.
  ///   - completion: called exactly once, on any thread, also inside this call.
  /// - Returns: calls the fetch off; `completion` then gets `cancelled`, unless the end came first.
  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation
}

/// What a strategy is asked to fetch, and within which bounds.
public struct FetchRequest: Sendable {
  /// The address. The model has validated it against the policy; redirects are for the strategy to validate.
  public var url: URL
  /// Header fields to send, in the order they are set. `blocking` cannot send any.
  public var headers: [(name: String, value: String)]
  /// What redirects must keep to.
  public var policy: TransportPolicy
  /// The deadline and the attempts in it are kept by the model; size and timeout by the strategy.
  public var limits: FetchLimits
  /// Called on any thread with the bytes received so far and, if known, the bytes to come in all.
  public var progress: (@Sendable (_ received: Int, _ expected: Int?) -> Void)?
  /// Called on any thread with the head of the final answer, whatever its status, where the strategy can see it.
  public var responded: (@Sendable (NetworkResponse) -> Void)?

  /// A request; by default with the strictest policy and the default limits.
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

  /// The same for a ``NetworkLoader``.
  ///
  /// - Parameter pool: the strategy. The requests of one strategy share connections.
  public func network(pool: StrategyName) -> NetworkRequest {
    NetworkRequest(url: url, headers: headers, timeoutSeconds: limits.timeoutSeconds, pool: pool.description)
  }
}

/// What came back, whole.
public struct FetchedBody: Sendable, Equatable {
  /// The bytes, never more than the size limit.
  public var bytes: Data
  /// The HTTP status, where the strategy can see it.
  public var status: Int?
  /// What the server calls the bytes. The bytes decide.
  public var contentType: String?

  /// A body with these bytes.
  public init(bytes: Data, status: Int? = nil, contentType: String? = nil) {
    self.bytes = bytes
    self.status = status
    self.contentType = contentType
  }
}
