public import EventBus
import Synchronization

/// What images need from the outside: bus, runtime, strategy, policy, limits, cache.
///
/// Any thread. Images with one environment share their requests.
public final class FetchEnvironment: Sendable {
  private struct Selection {
    var registry: StrategyRegistry
    var strategy: any FetchStrategy
  }

  /// Where images post their events.
  public let bus: EventBus
  /// Where work runs.
  public let runtime: any Runtime
  /// Which addresses may be fetched.
  public let policy: TransportPolicy
  /// How much a fetch may take.
  public let limits: FetchLimits
  /// Pictures that were fetched before; nil for none.
  public let cache: ImageCache?
  let loader: any NetworkLoader
  private let selection: Locked<Selection>
  let schedulers: ModelSchedulers
  let requests: SharedRequests
  let deadlines: Deadlines
  private let progressIsWanted = Atomic(false)

  /// An environment that has fetched nothing yet, with the five strategies that ship, of which `dataTask` is selected.
  ///
  /// - Parameters:
  ///   - runtime: where work runs.
  ///   - bus: nil for a bus of its own on the same runtime.
  ///   - loader: nil for the real network.
  ///   - policy: which addresses may be fetched.
  ///   - limits: how much a fetch may take.
  ///   - cache: where pictures are kept by address; nil for nowhere.
  ///   - sharesRequests: whether images with one address share one request.
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

  /// The same with another strategy, of the five that ship or of `registry`.
  ///
  /// - Throws: `unknownStrategy`, which lists the names, when no strategy has that name.
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

  /// The strategy of fetches that begin from now on. Those in flight keep theirs.
  public var strategy: any FetchStrategy {
    get { selection.withLock { $0.strategy } }
    set {
      var strategy = newValue
      selection.withLock { swap(&$0.strategy, &strategy) }
    }
  }

  /// The strategies that can be selected.
  public var registry: StrategyRegistry { selection.withLock { $0.registry } }

  /// Adds a strategy to the registry, or replaces the one of its name. Does not select it.
  public func register(_ strategy: any FetchStrategy) {
    let name = strategy.name
    let old = selection.withLock { selection in
      defer { selection.registry.register(strategy, named: name) }
      return selection.registry
    }
    withExtendedLifetime(old) {}
  }

  /// Selects a registered strategy for fetches that begin from now on.
  ///
  /// - Throws: `unknownStrategy`, which lists the names, when no strategy has that name.
  public func select(strategy name: StrategyName) throws(FetchError) {
    let registry = registry
    guard let strategy = registry[name] else { throw .unknownStrategy(name, known: registry.names) }
    self.strategy = strategy
  }

  /// A deadline of its own for the request that starts, by its address, instead of that of ``limits``; nil from it means the latter.
  /// Lets a demonstration wait less for an answer of which it knows that it does not come.
  package var ownDeadline: (@Sendable (_ address: String) -> Duration?)? {
    get { deadlines.exception }
    set { deadlines.exception = newValue }
  }

  /// Whether images post their progress although no subscriber wants it: for a trace of the bus.
  package var postsAllProgress: Bool {
    get { progressIsWanted.load(ordering: .relaxed) }
    set { progressIsWanted.store(newValue, ordering: .relaxed) }
  }

  /// Header fields that requests of images and questions to services send from now on, where their strategy sends any. Redirects get
  /// them as well, so they are not for secrets.
  package var headers: [(name: String, value: String)] {
    get { requests.headers.withLock { $0 } }
    set { requests.headers.withLock { $0 = newValue } }
  }

  /// The number of requests under way or waiting, for tests and displays.
  public var requestCount: Int { requests.count }

  /// Cancels every fetch of an image, as ``IFImage/cancel()`` does. Questions to services go on. Deletes temporary files
  /// unless a download is still being called off; the next one deletes those. For the end of a process.
  public func finishAndCleanUp() {
    requests.cancelAll()
    loader.removeTemporaryFiles()
  }
}
