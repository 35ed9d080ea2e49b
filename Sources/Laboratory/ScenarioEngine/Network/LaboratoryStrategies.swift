package import FetcherModel
import SocketStrategy

/// The strategies that the laboratory runs: the four of the model, and those that a program registers. Without a program,
/// for example in a test, these are `socket` alone.
package enum LaboratoryStrategies {
  private static let registered = Locked([SocketStrategy.factory])

  /// Sets the strategies of the program. Call this method before the first use of ``names``, which tables and help texts
  /// keep.
  package static func use(_ strategies: [StrategyRegistry.Factory]) { registered.withLock { $0 = strategies } }

  /// Returns all strategies on a network.
  ///
  /// - Parameter observe: a closure that returns the observed form of a strategy that is not part of the model.
  package static func registry(
    runtime: any Runtime = DispatchRuntime.shared, loader: any NetworkLoader = SystemLoader.shared,
    observe: (any FetchStrategy) -> any FetchStrategy = { $0 }
  ) -> StrategyRegistry {
    var registry = StrategyRegistry.standard(runtime: runtime, loader: loader)
    for make in registered.withLock({ $0 }) { registry.register(observe(make(runtime, loader))) }
    return registry
  }

  /// The names of all strategies, in the order in which they are shown.
  package static let names = registry().names.map(\.description)
}
