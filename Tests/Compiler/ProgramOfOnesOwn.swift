// compiles
import FetcherApp
import FetcherModel

// All commands of fetcher, with one more strategy.
Fetcher.main(strategies: [
  StrategyFactory { runtime, _ in ClosureStrategy("mine", runtime: runtime) { _ in throw FetchError.badStatus(404) } }
])
