public import Foundation

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
