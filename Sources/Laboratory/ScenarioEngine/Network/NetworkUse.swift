import EventBus
import FetcherModel

/// Whether the strategies of a virtual run send their requests through the run's network.
///
/// A strategy that calls `URLSession` itself waits for real time, while the virtual clock jumps to the deadline. On
/// Linux, cancelling such a call can crash Foundation. Therefore, a fetch that ends at its deadline or after the run,
/// in a run without any request, is not cancelled but reported.
final class NetworkUse: Sendable {
  private struct State {
    var isUsed = false
    var isClosing = false
    var strategy: StrategyName?
    var stuck: StrategyName?
  }

  private let state = Locked(State())

  /// Records a request.
  func use() { state.withLock { $0.isUsed = true } }

  /// Records that the run is over, so that the fetches in flight cannot end on their own.
  func close() { state.withLock { $0.isClosing = true } }

  /// Returns the name of a strategy that did not use the network.
  ///
  /// - Parameter foreignCalls: the number of calls from outside the run. They show that a strategy waited elsewhere.
  func bypassing(foreignCalls: Int) -> StrategyName? {
    state.withLock { $0.stuck ?? (foreignCalls > 0 && !$0.isUsed ? $0.strategy : nil) }
  }

  /// Returns the strategy, observed.
  func watching(_ strategy: any FetchStrategy, on runtime: any Runtime) -> any FetchStrategy {
    WatchedStrategy(base: strategy, name: strategy.name, use: self, runtime: runtime)
  }

  fileprivate func begin(_ strategy: StrategyName) { state.withLock { $0.strategy = strategy } }

  /// Returns whether a cancelled fetch waits for something outside the run, and records this.
  fileprivate func isStuck(_ strategy: StrategyName, isLate: Bool) -> Bool {
    state.withLock { state in
      guard !state.isUsed, isLate || state.isClosing else { return false }
      state.stuck = strategy
      return true
    }
  }
}

private struct WatchedStrategy: FetchStrategy {
  let base: any FetchStrategy
  let name: StrategyName
  let use: NetworkUse
  let runtime: any Runtime
  var capabilities: StrategyCapabilities { base.capabilities }

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    use.begin(name)
    let deadline = request.limits.deadline.map { runtime.now + $0 }
    let isOpen = Locked(true)
    let handle = base.fetch(request) { result in
      isOpen.withLock { $0 = false }
      completion(result)
    }
    return WatchedFetch { [use, runtime, name] in
      let isLate = deadline.map { $0 <= runtime.now } ?? false
      guard isOpen.withLock({ $0 }), use.isStuck(name, isLate: isLate) else { return handle.cancel() }
      completion(.failure(.cancelled))
    }
  }
}

private struct WatchedFetch: Cancellation {
  let onCancel: @Sendable () -> Void

  func cancel() { onCancel() }
}
