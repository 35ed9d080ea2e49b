// compiles
import FetcherApp
import FetcherModel

// All commands of fetcher, with one more strategy.
Fetcher.main(strategies: [
  .closure("mine") { _ in throw FetchError.badStatus(404) }
])
