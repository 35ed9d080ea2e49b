import FetcherApp
import FetcherModel
import SocketStrategy

Fetcher.main(strategies: [
  StrategyFactory { HedgingStrategy(in: $0) },
  .socket,
])
