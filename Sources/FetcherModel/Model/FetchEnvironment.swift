public import EventBus

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
  let requests: SharedRequests

  /// An environment that has fetched nothing yet.
  ///
  /// - Parameters:
  ///   - runtime: where work runs.
  ///   - bus: nil for a bus of its own on the same runtime.
  ///   - loader: nil for the real network.
  ///   - registry: nil for the four strategies that ship, on that loader.
  ///   - strategy: the name of the one selected at first; it must be in the registry.
  ///   - policy: which addresses may be fetched.
  ///   - limits: how much a fetch may take.
  ///   - cache: where pictures are kept by address; nil for nowhere.
  ///   - sharesRequests: whether images with one address share one request.
  public init(
    runtime: any Runtime = DispatchRuntime.shared, bus: EventBus? = nil, loader: (any NetworkLoader)? = nil,
    registry: StrategyRegistry? = nil, strategy: String = "dataTask", policy: TransportPolicy = TransportPolicy(),
    limits: FetchLimits = FetchLimits(), cache: ImageCache? = nil, sharesRequests: Bool = true
  ) {
    let loader = loader ?? FoundationLoader.shared
    let registry = registry ?? .standard(runtime: runtime, loader: loader)
    guard let selected = registry[strategy] else {
      preconditionFailure("No strategy “\(strategy)”; registered are \(registry.names.joined(separator: ", "))")
    }
    self.runtime = runtime
    self.bus = bus ?? EventBus(runtime: runtime)
    self.loader = loader
    self.policy = policy
    self.limits = limits
    self.cache = cache
    selection = Locked(Selection(registry: registry, strategy: selected))
    requests = SharedRequests(
      runtime: runtime, policy: policy, limits: limits, cache: cache, shares: sharesRequests)
  }

  /// The strategy of fetches that begin from now on. Those in flight keep theirs.
  public var strategy: any FetchStrategy {
    get { selection.withLock { $0.strategy } }
    set {
      let old = selection.withLock { selection in
        defer { selection.strategy = newValue }
        return selection.strategy
      }
      withExtendedLifetime(old) {}
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
  /// - Throws: `missingConfiguration` when no strategy has that name.
  public func select(strategy name: String) throws(FetchError) {
    guard let strategy = registry[name] else { throw .missingConfiguration("strategy \(name)") }
    self.strategy = strategy
  }

  /// The number of requests under way or waiting, for tests and displays.
  public var requestCount: Int { requests.count }

  /// Ends every fetch of an image: its state is `failed(cancelled)`. Questions to services go on. Deletes temporary files
  /// unless a download is still being called off; the next one deletes those. For the end of a program.
  public func finishAndSweep() {
    requests.cancelAll()
    loader.sweep()
  }
}
