public import EventBus

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// The dependencies of images: bus, runtime, strategy, policy, limits and cache.
///
/// Safe to use from any thread. Images with the same environment share requests.
public final class FetchEnvironment: Sendable {
  /// The registered strategies in order of registration, one of which is selected.
  private struct Strategies {
    // A strategy is third-party code, so its name is read only once, and never while a lock is held.
    private(set) var all: [(name: StrategyName, strategy: any FetchStrategy)] = []
    private var selected = 0

    var current: any FetchStrategy { all[selected].strategy }

    /// Adds a strategy, replacing any strategy with the same name, and returns the replaced one.
    mutating func register(_ strategy: any FetchStrategy, named name: StrategyName) -> (any FetchStrategy)? {
      guard let index = all.firstIndex(where: { $0.name == name }) else {
        all.append((name, strategy))
        return nil
      }
      defer { all[index].strategy = strategy }
      return all[index].strategy
    }

    /// Selects a registered strategy. Returns false if no strategy has that name.
    mutating func select(_ name: StrategyName) -> Bool {
      guard let index = all.firstIndex(where: { $0.name == name }) else { return false }
      selected = index
      return true
    }
  }

  /// The header fields that the environment adds to requests.
  private struct CommonHeaders {
    var all: HTTPHeaders
    var byHost: [HostName: HTTPHeaders]
  }

  /// The bus to which images post their events.
  public let bus: EventBus
  /// The runtime of the bus, which the environment uses for all asynchronous work.
  public let runtime: any Runtime
  /// The policy for the addresses that may be fetched.
  public let policy: TransportPolicy
  /// The limits for the fetches of images that have none of their own, and of services.
  public let limits: FetchLimits
  /// The cache of fetched pictures, or nil if there is none.
  public let cache: ImageCache?
  /// The network of the built-in strategies.
  package let loader: any NetworkLoader
  package var context: StrategyContext { StrategyContext(runtime: runtime, loader: loader) }
  private let registered: Locked<Strategies>
  private let commonHeaders: Locked<CommonHeaders>
  package let schedulers: ModelSchedulers
  let requests: SharedRequests

  /// Creates an environment with the four built-in strategies, and selects a strategy.
  ///
  /// - Parameters:
  ///   - bus: the bus for events. Its runtime is also that of the environment, so pass `EventBus(runtime: …)` for
  ///     another one than Dispatch.
  ///   - configuration: the settings of the URL sessions, such as TLS and the number of connections, or nil for the
  ///     standard ones. An environment with a configuration has its own sessions, which exist until the process exits,
  ///     so create few. Its cache, its cookies and its timeouts have no effect: the model has its own cache, requests
  ///     are stateless, and `limits` sets the timeouts. The fields in `httpAdditionalHeaders` are sent with each
  ///     request, to any host. `blocking` uses none of the settings.
  ///   - headers: the header fields of all requests, to any host; see ``headers``.
  ///   - headersByHost: the header fields of requests to one host, such as a token; see ``headers(for:)``.
  ///   - strategy: the factory of the strategy to select, which is built in, such as `.async`, or your own, such as
  ///     `.closure("stub") { … }`. The environment creates the strategy on its own runtime and loader, and
  ///     registers it, also in place of a built-in one with the same name.
  ///   - policy: the policy for the addresses that may be fetched.
  ///   - limits: the limits for a fetch, unless an image has its own.
  ///   - maximumInFlight: the maximum number of concurrent image requests, at least one. Further requests wait, first
  ///     come, first served. Nil means no limit. Service requests do not count toward the limit and do not wait.
  ///   - cache: the cache of pictures, or nil for no cache.
  ///   - sharesRequests: whether images with the same address, header fields and limits share one request.
  public convenience init(
    bus: EventBus = EventBus(), configuration: URLSessionConfiguration? = nil, headers: HTTPHeaders = [:],
    headersByHost: [HostName: HTTPHeaders] = [:], strategy: StrategyFactory = .dataTask,
    policy: TransportPolicy = TransportPolicy(), limits: FetchLimits = FetchLimits(), maximumInFlight: Int? = nil,
    cache: ImageCache? = nil, sharesRequests: Bool = true
  ) {
    self.init(
      bus: bus, loader: configuration.map { SystemLoader(configuration: $0) } ?? .shared, headers: headers,
      headersByHost: headersByHost, strategy: strategy, policy: policy, limits: limits,
      maximumInFlight: maximumInFlight, cache: cache, sharesRequests: sharesRequests)
  }

  /// - Parameters:
  ///   - runtime: replaces the runtime of the bus, for a program that runs although its bus delivers nothing.
  ///   - loader: the network of the built-in strategies.
  package init(
    runtime: (any Runtime)? = nil, bus: EventBus = EventBus(), loader: any NetworkLoader, headers: HTTPHeaders = [:],
    headersByHost: [HostName: HTTPHeaders] = [:], strategy: StrategyFactory = .dataTask,
    policy: TransportPolicy = TransportPolicy(), limits: FetchLimits = FetchLimits(), maximumInFlight: Int? = nil,
    cache: ImageCache? = nil, sharesRequests: Bool = true
  ) {
    let runtime = runtime ?? bus.runtime
    self.runtime = runtime
    self.bus = bus
    self.loader = loader
    self.policy = policy
    self.limits = limits
    self.cache = cache
    schedulers = ModelSchedulers(runtime)
    requests = SharedRequests(
      schedulers: schedulers, policy: policy, maximumInFlight: maximumInFlight, cache: cache, shares: sharesRequests)
    commonHeaders = Locked(CommonHeaders(all: headers, byHost: headersByHost))
    registered = Locked(Strategies())
    for factory in StrategyFactory.builtIn { register(factory) }
    register(strategy.make(context), selects: true)
  }

  /// The strategy for future fetches. A fetch in flight keeps its strategy.
  public var strategy: any FetchStrategy { registered.withLock { $0.current } }

  /// All registered strategies, in order of registration.
  public var strategies: [any FetchStrategy] { registered.withLock { $0.all.map(\.strategy) } }

  /// Adds the strategy that the factory creates on the runtime and the network of this environment. It replaces any
  /// strategy with the same name, and is selected if that one is, or if `selects` is true.
  public func register(_ factory: StrategyFactory, selects: Bool = false) {
    register(factory.make(context), selects: selects)
  }

  /// Adds a strategy, replacing any strategy with the same name. A fetch in flight keeps the replaced one.
  ///
  /// - Parameters:
  ///   - strategy: the strategy. Its name is read in this call only.
  ///   - selects: whether future fetches use the strategy. If it replaces the selected one, they do in any case.
  public func register(_ strategy: any FetchStrategy, selects: Bool = false) {
    let name = strategy.name
    let old = registered.withLock { registered in
      let old = registered.register(strategy, named: name)
      if selects { _ = registered.select(name) }
      return old
    }
    // The lock is not held when a strategy is released.
    withExtendedLifetime(old) {}
  }

  /// Selects a registered strategy for future fetches: a built-in one, such as `.async`, or one of yours, also by a
  /// name that a user chooses. A fetch in flight keeps its strategy. The strategy keeps its settings and its state.
  ///
  /// - Throws: an error with the known names, if no strategy has that name. The built-in ones are always registered.
  public func select(_ name: StrategyName) throws(UnknownStrategy) {
    let known = registered.withLock { registered in registered.select(name) ? nil : registered.all.map(\.name) }
    if let known { throw UnknownStrategy(name: name, known: known) }
  }

  /// The header fields of all future requests from images and services, such as `Accept`.
  ///
  /// - Warning: These fields reach every host, also the host of an address that a user or a server supplies. Pass a
  ///   token as a field for one host: ``updateHeaders(for:_:)``.
  ///
  /// A request in flight keeps its header fields, and a redirect to another server keeps only those that
  /// ``FetchRequest/headers`` lists. Header fields do not appear in events and messages.
  ///
  /// A strategy that cannot send header fields, such as `blocking`, fails with `headersUnsent` if there are any.
  public var headers: HTTPHeaders { commonHeaders.withLock { $0.all } }

  /// Returns the header fields of future requests to one host, in addition to ``headers``. They replace fields of
  /// ``headers`` with the same name, and the fields of an image replace both.
  ///
  /// The scheme and the port of an address do not matter. A subdomain is another host.
  public func headers(for host: HostName) -> HTTPHeaders { commonHeaders.withLock { $0.byHost[host] ?? [:] } }

  /// Changes ``headers`` atomically, so that concurrent changes are not lost.
  ///
  /// - Parameter update: a closure that changes the header fields. It runs under a lock of the environment, so it must
  ///   not use the environment.
  public func updateHeaders(_ update: (inout HTTPHeaders) -> Void) { commonHeaders.withLock { update(&$0.all) } }

  /// Changes the header fields for one host atomically, for example when a token expires. A redirect to this host does
  /// not add its fields.
  ///
  /// ```swift
  /// environment.updateHeaders(for: "images.example.com") { $0["Authorization"] = "Bearer \(newToken)" }
  /// ```
  ///
  /// A cached picture belongs to the header fields with which it was fetched, so a new token hides what the cache has.
  /// An app whose pictures do not depend on the token keeps them with a cache that ignores it:
  /// `ImageCache(ignoredHeaders: ["Authorization"])`.
  ///
  /// - Parameters:
  ///   - host: the name of the host, such as a literal, or ``HostName/init(_:)`` for a text that a user supplies.
  ///   - update: a closure that changes the header fields. It must not use the environment.
  public func updateHeaders(for host: HostName, _ update: (inout HTTPHeaders) -> Void) {
    commonHeaders.withLock { update(&$0.byHost[host, default: [:]]) }
  }

  /// Returns the header fields that the environment adds to a request to this address.
  package func headers(at address: String) -> HTTPHeaders {
    let common = commonHeaders.withLock { $0 }
    guard !common.byHost.isEmpty, let host = URL(string: address)?.host,
      let own = common.byHost[HostName(ofAddress: host)]
    else { return common.all }
    return common.all.overridden(by: own)
  }

  /// The number of running and waiting requests, for use in tests and displays.
  public var requestCount: Int { requests.count }

  /// Cancels every image fetch, as ``IFImage/cancel()`` does. Requests from services continue. Deletes temporary files.
  /// If a download has not finished, its files remain until the next download, which deletes them. Call this method
  /// when the process is about to exit.
  public func shutDown() {
    requests.cancelAll()
    loader.removeTemporaryFiles()
  }
}
