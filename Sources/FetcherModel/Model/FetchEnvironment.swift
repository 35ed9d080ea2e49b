public import EventBus
import Synchronization

/// The dependencies of images: bus, runtime, strategy, policy, limits, cache.
///
/// Any thread. Images with the same environment share requests.
public final class FetchEnvironment: Sendable {
  private struct Selection {
    var registry: StrategyRegistry
    var strategy: any FetchStrategy
  }

  /// The bus to which images post their events.
  public let bus: EventBus
  /// The runtime of all asynchronous work.
  public let runtime: any Runtime
  /// The addresses that may be fetched.
  public let policy: TransportPolicy
  /// The limits of a fetch.
  public let limits: FetchLimits
  /// The cache of fetched pictures, or nil for none.
  public let cache: ImageCache?
  let loader: any NetworkLoader
  private let selection: Locked<Selection>
  let schedulers: ModelSchedulers
  let requests: SharedRequests
  let deadlines: Deadlines
  private let progressIsWanted = Atomic(false)

  /// Makes an environment with the five strategies that ship. The selected strategy is `dataTask`.
  ///
  /// - Parameters:
  ///   - runtime: the runtime of all asynchronous work.
  ///   - bus: the bus for events, or nil for a separate bus on the same runtime.
  ///   - loader: the network, or nil for the real one.
  ///   - policy: the addresses that may be fetched.
  ///   - limits: the limits of a fetch.
  ///   - cache: the cache of pictures by address, or nil for none.
  ///   - sharesRequests: whether images with the same address share one request.
  public init(
    runtime: any Runtime = DispatchRuntime.shared, bus: EventBus? = nil, loader: (any NetworkLoader)? = nil,
    policy: TransportPolicy = TransportPolicy(), limits: FetchLimits = FetchLimits(), cache: ImageCache? = nil,
    sharesRequests: Bool = true
  ) {
    let loader = loader ?? SystemLoader.shared
    self.runtime = runtime
    self.bus = bus ?? EventBus(runtime: runtime)
    self.loader = loader
    self.policy = policy
    self.limits = limits
    self.cache = cache
    selection = Locked(
      Selection(
        registry: .standard(runtime: runtime, loader: loader),
        strategy: DataTaskStrategy(runtime: runtime, loader: loader)))
    schedulers = ModelSchedulers(runtime)
    deadlines = Deadlines(limits.deadline)
    requests = SharedRequests(
      schedulers: schedulers, policy: policy, limits: limits, deadlines: deadlines, cache: cache, shares: sharesRequests
    )
  }

  /// Makes the same environment with another selected strategy, one of the five that ship or of `registry`.
  ///
  /// - Throws: `unknownStrategy` with the known names, if no strategy has that name.
  public convenience init(
    runtime: any Runtime = DispatchRuntime.shared, bus: EventBus? = nil, loader: (any NetworkLoader)? = nil,
    registry: StrategyRegistry? = nil, strategy: StrategyName, policy: TransportPolicy = TransportPolicy(),
    limits: FetchLimits = FetchLimits(), cache: ImageCache? = nil, sharesRequests: Bool = true
  ) throws(FetchError) {
    self.init(
      runtime: runtime, bus: bus, loader: loader, policy: policy, limits: limits, cache: cache,
      sharesRequests: sharesRequests)
    if let registry { selection.withLock { $0.registry = registry } }
    try select(strategy: strategy)
  }

  /// The strategy of future fetches. A fetch in flight keeps its strategy.
  public var strategy: any FetchStrategy {
    get { selection.withLock { $0.strategy } }
    set {
      var strategy = newValue
      selection.withLock { swap(&$0.strategy, &strategy) }
    }
  }

  /// The names of the registered strategies.
  public var registry: StrategyRegistry { selection.withLock { $0.registry } }

  /// Adds a strategy to the registry, or replaces the one with its name. Does not select it.
  public func register(_ strategy: any FetchStrategy) {
    let name = strategy.name
    let old = selection.withLock { selection in
      defer { selection.registry.register(strategy, named: name) }
      return selection.registry
    }
    withExtendedLifetime(old) {}
  }

  /// Selects a registered strategy for future fetches.
  ///
  /// - Throws: `unknownStrategy` with the known names, if no strategy has that name.
  public func select(strategy name: StrategyName) throws(FetchError) {
    let registry = registry
    guard let strategy = registry[name] else { throw .unknownStrategy(name, known: registry.names) }
    self.strategy = strategy
  }

  /// Returns the deadline of a new request by its address, or nil for the deadline of ``limits``. A demonstration can
  /// shorten a wait for
  /// an answer that never comes.
  package var ownDeadline: (@Sendable (_ address: String) -> Duration?)? {
    get { deadlines.exception }
    set { deadlines.exception = newValue }
  }

  /// Whether images post their progress even if no subscriber wants it, for a trace of the bus.
  package var postsAllProgress: Bool {
    get { progressIsWanted.load(ordering: .relaxed) }
    set { progressIsWanted.store(newValue, ordering: .relaxed) }
  }

  /// The header fields that future requests of images and services send, if their strategy sends any. Redirects also
  /// get them, so they
  /// must not contain secrets.
  package var headers: [(name: String, value: String)] {
    get { requests.headers.withLock { $0 } }
    set { requests.headers.withLock { $0 = newValue } }
  }

  /// The number of running and waiting requests, for tests and displays.
  public var requestCount: Int { requests.count }

  /// Cancels every fetch of an image, as ``IFImage/cancel()`` does. Requests of services continue. Deletes temporary
  /// files unless a
  /// download is still ending; the next download then deletes them. Call it at the end of a process.
  public func finishAndCleanUp() {
    requests.cancelAll()
    loader.removeTemporaryFiles()
  }
}
