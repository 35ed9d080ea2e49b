public import EventBus

/// The dependencies of images: bus, runtime, strategy, policy, limits and cache.
///
/// Safe to use from any thread. Images with the same environment share requests.
public final class FetchEnvironment: Sendable {
  private struct Selection {
    var registry: StrategyRegistry
    var strategy: any FetchStrategy
  }

  /// The bus to which images post their events.
  public let bus: EventBus
  /// The runtime for all asynchronous work.
  public let runtime: any Runtime
  /// The policy for the addresses that may be fetched.
  public let policy: TransportPolicy
  /// The limits for a fetch.
  public let limits: FetchLimits
  /// The cache of fetched pictures, or nil if there is none.
  public let cache: ImageCache?
  /// The network of the built-in strategies.
  public let loader: any NetworkLoader
  private let selection: Locked<Selection>
  private let commonHeaders: Locked<[(name: String, value: String)]>
  package let schedulers: ModelSchedulers
  let requests: SharedRequests

  /// Creates an environment with the four built-in strategies. The selected strategy is `dataTask`.
  ///
  /// - Parameters:
  ///   - runtime: the runtime for all asynchronous work. If it is nil, the environment uses the runtime of `bus`, or Dispatch
  ///     if `bus` is nil too.
  ///   - bus: the bus for events, or nil to create a separate bus on the same runtime.
  ///   - loader: the loader that sends the requests. `SystemLoader(configuration:)` uses the real network with a
  ///     `URLSessionConfiguration`.
  ///   - headers: the header fields of all requests; see ``headers``.
  ///   - policy: the policy for the addresses that may be fetched.
  ///   - limits: the limits for a fetch.
  ///   - cache: the cache of pictures, or nil for no cache.
  ///   - sharesRequests: whether images with the same address and header fields share one request.
  ///   - ignoresHeaders: whether images whose header fields differ share requests and cached pictures. Pass true if a
  ///     picture does not depend on them, for example if they only identify the app.
  public init(
    runtime: (any Runtime)? = nil, bus: EventBus? = nil, loader: any NetworkLoader = SystemLoader.shared,
    headers: [(name: String, value: String)] = [], policy: TransportPolicy = TransportPolicy(),
    limits: FetchLimits = FetchLimits(), cache: ImageCache? = nil, sharesRequests: Bool = true,
    ignoresHeaders: Bool = false
  ) {
    let runtime = runtime ?? bus?.runtime ?? DispatchRuntime.shared
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
    requests = SharedRequests(
      schedulers: schedulers, policy: policy, limits: limits, cache: cache, shares: sharesRequests,
      ignoresHeaders: ignoresHeaders)
    commonHeaders = Locked(headers)
  }

  /// Creates an environment with the given strategy selected, which is one of the four built-in ones. To use another
  /// strategy, call `register` with it, and then ``select(strategy:)`` with its name.
  ///
  /// The other parameters are those of ``init(runtime:bus:loader:headers:policy:limits:cache:sharesRequests:ignoresHeaders:)``.
  ///
  /// - Throws: `unknownStrategy`, with the known names, if no strategy has that name.
  public convenience init(
    runtime: (any Runtime)? = nil, bus: EventBus? = nil, loader: any NetworkLoader = SystemLoader.shared,
    headers: [(name: String, value: String)] = [], strategy: StrategyName, policy: TransportPolicy = TransportPolicy(),
    limits: FetchLimits = FetchLimits(), cache: ImageCache? = nil, sharesRequests: Bool = true,
    ignoresHeaders: Bool = false
  ) throws(FetchError) {
    self.init(
      runtime: runtime, bus: bus, loader: loader, headers: headers, policy: policy, limits: limits, cache: cache,
      sharesRequests: sharesRequests, ignoresHeaders: ignoresHeaders)
    try select(strategy: strategy)
  }

  /// Creates an environment with the strategies of `registry`, which must use the same runtime and loader.
  package convenience init(
    runtime: (any Runtime)? = nil, bus: EventBus? = nil, loader: any NetworkLoader = SystemLoader.shared,
    registry: StrategyRegistry, strategy: StrategyName, policy: TransportPolicy = TransportPolicy(),
    limits: FetchLimits = FetchLimits(), cache: ImageCache? = nil, sharesRequests: Bool = true
  ) throws(FetchError) {
    self.init(
      runtime: runtime, bus: bus, loader: loader, policy: policy, limits: limits, cache: cache,
      sharesRequests: sharesRequests)
    selection.withLock { $0.registry = registry }
    try select(strategy: strategy)
  }

  /// The strategy for future fetches. A fetch in flight keeps its strategy.
  public var strategy: any FetchStrategy {
    get { selection.withLock { $0.strategy } }
    set {
      var strategy = newValue
      selection.withLock { swap(&$0.strategy, &strategy) }
    }
  }

  /// The registered strategies, keyed by name.
  public var registry: StrategyRegistry { selection.withLock { $0.registry } }

  /// Adds a strategy to the registry, replacing any strategy with the same name. Does not select it.
  public func register(_ strategy: any FetchStrategy) {
    let name = strategy.name
    let old = selection.withLock { selection in
      defer { selection.registry.register(strategy, named: name) }
      return selection.registry
    }
    withExtendedLifetime(old) {}
  }

  /// Adds the strategy that `make` returns for the runtime and the loader of this environment.
  public func register(_ make: StrategyRegistry.Factory) { register(make(runtime, loader)) }

  /// Selects a registered strategy for future fetches.
  ///
  /// - Throws: `unknownStrategy`, with the known names, if no strategy has that name.
  public func select(strategy name: StrategyName) throws(FetchError) {
    let registry = registry
    guard let strategy = registry[name] else { throw .unknownStrategy(name, known: registry.names) }
    self.strategy = strategy
  }

  /// The header fields of all future requests from images and services, such as a token. A request in flight keeps its
  /// header fields, and a redirect to another server (scheme, host or port) sends none of them. Header fields do not
  /// appear in events and messages.
  ///
  /// A strategy that cannot send header fields, such as `blocking`, fails with `headersUnsent` if there are any.
  public var headers: [(name: String, value: String)] {
    get { commonHeaders.withLock { $0 } }
    set { commonHeaders.withLock { $0 = newValue } }
  }

  /// The number of running and waiting requests, for use in tests and displays.
  public var requestCount: Int { requests.count }

  /// Cancels every image fetch, as ``IFImage/cancel()`` does. Requests from services continue. Deletes temporary files.
  /// If a download has not finished, its files remain until the next download, which deletes them. Call this method when
  /// the process is about to exit.
  public func finishAndCleanUp() {
    requests.cancelAll()
    loader.removeTemporaryFiles()
  }
}
