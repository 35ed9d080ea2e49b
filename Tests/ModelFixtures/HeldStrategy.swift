package import EventBus
package import FetcherModel
package import Foundation

/// A strategy whose fetches end when the test decides.
package final class HeldStrategy: FetchStrategy {
  package typealias Completion = @Sendable (Result<FetchedBody, FetchError>) -> Void

  private struct State {
    var requests: [FetchRequest] = []
    var completions: [Int: Completion] = [:]
    var cancels = 0
    /// The bytes with which every further fetch ends immediately.
    var bytesForAll: Data?
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }
  private final class Handle: Cancellation {
    let owner: HeldStrategy
    init(_ owner: HeldStrategy) { self.owner = owner }
    func cancel() { owner.state.withLock { $0.cancels += 1 } }
  }

  package let name: StrategyName
  package let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true, sendsHeaders: true,
    note: "held by a test")
  private let state = Locked(State())

  package init(_ name: StrategyName = "held") { self.name = name }

  package var requests: [FetchRequest] { state.withLock { $0.requests } }
  package var cancels: Int { state.withLock { $0.cancels } }

  package func fetch(_ request: FetchRequest, completion: @escaping Completion) -> any Cancellation {
    let (ready, bytes) = state.withLock { state in
      if state.bytesForAll == nil { state.completions[state.requests.count] = completion }
      state.requests.append(request)
      let count = state.requests.count
      defer { state.waiting.removeAll { $0.count <= count } }
      return (state.waiting.filter { $0.count <= count }, state.bytesForAll)
    }
    for waiter in ready { waiter.continuation.resume() }
    if let bytes { completion(.success(FetchedBody(bytes: bytes))) }
    return Handle(self)
  }

  /// Waits until `count` fetches have begun.
  package func begun(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Ends the fetch that began at position `index`, counted from zero.
  package func end(_ index: Int, with result: Result<FetchedBody, FetchError>) {
    state.withLock { $0.completions.removeValue(forKey: index) }?(result)
  }

  package func end(_ index: Int, with bytes: Data) { end(index, with: .success(FetchedBody(bytes: bytes))) }

  /// Ends all fetches, and every later one immediately.
  package func endAll(with bytes: Data) {
    let completions = state.withLock { state in
      defer { state.completions = [:] }
      state.bytesForAll = bytes
      return state.completions.values.map { $0 }
    }
    for completion in completions { completion(.success(FetchedBody(bytes: bytes))) }
  }
}

extension FetchEnvironment {
  /// Registers and selects a strategy.
  package func use(_ strategy: any FetchStrategy) {
    register(strategy, selects: true)
  }

  /// Creates an environment with held strategies. It has no deadline, because a busy machine may run the test late.
  package static func held(
    _ strategies: HeldStrategy..., runtime: any Runtime = TrackedRuntime(),
    limits: FetchLimits = FetchLimits(deadline: nil), maximumInFlight: Int? = nil, cache: ImageCache? = nil,
    sharesRequests: Bool = true
  ) -> FetchEnvironment {
    let environment = FetchEnvironment(
      bus: EventBus(runtime: runtime), limits: limits, maximumInFlight: maximumInFlight, cache: cache,
      sharesRequests: sharesRequests)
    for strategy in strategies.reversed() { environment.use(strategy) }
    return environment
  }
}
