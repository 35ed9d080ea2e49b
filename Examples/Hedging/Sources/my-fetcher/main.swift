import FetcherApp
import SocketStrategy

Fetcher.main(strategies: [
  { runtime, loader in HedgingStrategy(runtime: runtime, loader: loader) },
  SocketStrategy.factory,
])
