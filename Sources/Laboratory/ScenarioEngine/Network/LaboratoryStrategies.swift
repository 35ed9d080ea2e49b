package import FetcherModel
import SocketStrategy

/// The strategies that the laboratory runs: the four of the model, `socket` as a reference, and those that the program
/// adds.
package enum LaboratoryStrategies {
  private static let added = Locked<[StrategyRegistry.Factory]>([])

  /// Adds strategies. Call this method before the first use of ``names``, which tables and help texts keep.
  package static func add(_ strategies: [StrategyRegistry.Factory]) { added.withLock { $0 += strategies } }

  /// Returns all strategies on a network.
  package static func registry(
    runtime: any Runtime = DispatchRuntime.shared, loader: any NetworkLoader = SystemLoader.shared
  ) -> StrategyRegistry {
    var registry = StrategyRegistry.standard(runtime: runtime, loader: loader)
    registry.register(SocketStrategy(runtime: runtime, loader: loader.sockets))
    for make in added.withLock({ $0 }) { registry.register(make(runtime, loader)) }
    return registry
  }

  /// The names of all strategies, in the order in which they are shown.
  package static let names = registry().names.map(\.description)
}

extension DataTasks {
  /// The network for exchanges over sockets: this network if it supports them, or else the real one.
  var sockets: any SocketTasks { self as? any SocketTasks ?? SocketLoader.shared }
}
