public import EventBus

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
