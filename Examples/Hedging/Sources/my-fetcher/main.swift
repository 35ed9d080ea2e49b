import FetcherApp
import FetcherModel
import SocketStrategy

Fetcher.main(strategies: [
  StrategyFactory { HedgingStrategy(runtime: $0, loader: $1) },
  .socket,
])
