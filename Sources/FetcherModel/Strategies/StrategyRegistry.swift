public import EventBus

/// The selectable strategies, keyed by name, in order of registration.
public struct StrategyRegistry: Sendable {
  // A strategy is third-party code, so the registry reads its name only once, and never while holding a lock.
  private var strategies: [(name: StrategyName, strategy: any FetchStrategy)] = []

  /// A closure that creates a strategy on a network. The runtime provides its timers.
  public typealias Factory = @Sendable (_ runtime: any Runtime, _ loader: any NetworkLoader) -> any FetchStrategy

  /// Creates an empty registry.
  public init() {}

  /// The four built-in strategies: `blocking`, `dataTask`, `downloadTask`, `async`.
  public static func standard(
    runtime: any Runtime = DispatchRuntime.shared, loader: any NetworkLoader = SystemLoader.shared
  ) -> StrategyRegistry {
    var registry = StrategyRegistry()
    registry.register(BlockingStrategy(runtime: runtime, loader: loader))
    registry.register(DataTaskStrategy(runtime: runtime, loader: loader))
    registry.register(DownloadTaskStrategy(runtime: runtime, loader: loader))
    registry.register(AsyncStrategy(runtime: runtime, loader: loader))
    return registry
  }

  /// The names in order of registration.
  public var names: [StrategyName] { strategies.map(\.name) }

  /// All strategies in order of registration.
  public var all: [any FetchStrategy] { strategies.map(\.strategy) }

  /// Returns the strategy with that name.
  public subscript(name: StrategyName) -> (any FetchStrategy)? { strategies.first { $0.name == name }?.strategy }

  /// Adds a strategy, replacing any strategy with the same name.
  public mutating func register(_ strategy: any FetchStrategy) { register(strategy, named: strategy.name) }

  mutating func register(_ strategy: any FetchStrategy, named name: StrategyName) {
    if let index = strategies.firstIndex(where: { $0.name == name }) {
      strategies[index].strategy = strategy
    } else {
      strategies.append((name, strategy))
    }
  }
}
