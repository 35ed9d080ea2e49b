package import FetcherModel
import SocketStrategy

/// The strategies that the laboratory runs: the four of the model, and those that a program registers. Without a program,
/// for example in a test, these are `socket` alone.
package enum LaboratoryStrategies {
  private static let registered = Locked([StrategyFactory.socket])

  /// Sets the strategies of the program. Call this method before the first use of ``names``, which tables and help texts
  /// keep.
  package static func use(_ strategies: [StrategyFactory]) { registered.withLock { $0 = strategies } }

  /// Adds the strategies of the program to an environment, which has those of the model.
  ///
  /// - Parameter observe: a closure that returns the observed form of a strategy that is not part of the model.
  package static func register(
    in environment: FetchEnvironment, observe: (any FetchStrategy) -> any FetchStrategy = { $0 }
  ) {
    for factory in registered.withLock({ $0 }) {
      environment.register(observe(factory.make(environment.context)))
    }
  }

  /// All strategies on the real network, in the order in which they are shown.
  package static var all: [any FetchStrategy] {
    let environment = FetchEnvironment()
    register(in: environment)
    return environment.strategies
  }

  /// The names of all strategies, in the order in which they are shown.
  package static let names = all.map(\.name.description)
}
