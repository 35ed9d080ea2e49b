import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing

/// The registered strategies of an environment, and the selected one.
@Suite struct SelectionTests {
  /// A network that no test uses.
  private struct NoNetwork: NetworkLoader {
    struct Nothing: Cancellation { func cancel() {} }
    func contents(of url: URL) throws(NetworkError) -> Data { throw .unknown }
    func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { Nothing() }
    func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation { Nothing() }
  }

  private let standard: [StrategyName] = [.blocking, .dataTask, .downloadTask, .async]

  @Test("A new environment has the built-in strategies and selects the given one, by default dataTask")
  func builtIn() {
    #expect(FetchEnvironment().strategy.name == .dataTask)
    let factories: [StrategyFactory] = [.blocking, .dataTask, .downloadTask, .async]
    for (factory, name) in zip(factories, standard) {
      let environment = FetchEnvironment(strategy: factory)
      #expect(environment.strategy.name == name)
      #expect(environment.strategies.map(\.name) == standard)
    }
  }

  @Test("A new environment creates its own strategy on its runtime and loader, and registers and selects it")
  func custom() throws {
    let runtime = TrackedRuntime()
    let calls = Locked(0)
    let environment = FetchEnvironment(
      bus: EventBus(runtime: runtime), loader: NoNetwork(),
      strategy: StrategyFactory { context in
        calls.withLock { $0 += 1 }
        #expect(context.runtime as? TrackedRuntime === runtime && context.loader is NoNetwork)
        return HeldStrategy("mine")
      })
    #expect(environment.strategy.name == "mine" && calls.withLock { $0 } == 1)
    try environment.select(.async)
    try environment.select("mine")
    #expect(environment.strategies.map(\.name) == standard + ["mine"])
  }

  @Test("Registering a strategy under the selected name selects it; under another name, the selection stays")
  func replacing() {
    let environment = FetchEnvironment()
    let (mine, other) = (HeldStrategy("dataTask"), HeldStrategy("async"))
    environment.register(other)
    #expect(environment.strategy is DataTaskStrategy)
    environment.register(mine)
    #expect(environment.strategy as? HeldStrategy === mine)
    #expect(environment.strategies.map(\.name) == standard)
    environment.register(.dataTask)
    #expect(environment.strategy is DataTaskStrategy)
  }

  @Test("A strategy that is registered and selected replaces one of the same name") func factory() throws {
    let environment = FetchEnvironment(strategy: .dataTask)
    try environment.select(.async)
    #expect(environment.strategy is AsyncStrategy)
    #expect(environment.strategies.map(\.name) == standard)
    let (mine, other) = (HeldStrategy("mine"), HeldStrategy("mine"))
    environment.register(StrategyFactory { _ in mine }, selects: true)
    try environment.select(.async)
    environment.register(StrategyFactory { _ in other }, selects: true)
    #expect(environment.strategy as? HeldStrategy === other)
    #expect(environment.strategies.map(\.name) == standard + ["mine"])
  }

  @Test("The strategy of a new environment replaces a built-in one with the same name") func initialName() {
    let mine = HeldStrategy("blocking")
    let environment = FetchEnvironment(strategy: StrategyFactory { _ in mine })
    #expect(environment.strategy as? HeldStrategy === mine)
    #expect(environment.strategies.map(\.name) == standard)
  }

  @Test("A strategy that is registered under a built-in name stays when this name is selected") func customized() throws
  {
    let environment = FetchEnvironment(strategy: .async)
    let mine = HeldStrategy("blocking")
    environment.register(mine)
    for _ in 0..<2 {
      try environment.select(.blocking)
      #expect(environment.strategy as? HeldStrategy === mine)
      try environment.select(.dataTask)
    }
    environment.register(.blocking)
    try environment.select(.blocking)
    #expect(environment.strategy is BlockingStrategy)
  }

  @Test("A replaced strategy is released") func release() {
    let environment = FetchEnvironment()
    weak var old: HeldStrategy?
    do {
      let strategy = HeldStrategy("mine")
      old = strategy
      environment.use(strategy)
    }
    #expect(old != nil)
    environment.register(HeldStrategy("mine"))
    #expect(old == nil)
  }
}
