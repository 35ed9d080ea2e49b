// compiles
import FetcherModel
import SocketStrategy

let environment = FetchEnvironment(strategy: .async)
let other = FetchEnvironment(strategy: .socket)
for name in [StrategyName.blocking, .dataTask, .downloadTask, .async, .socket, "folder"] {
  try environment.select(name)
}
try environment.select(.dataTask)
environment.register(.socket, selects: true)
try environment.select("downloadTask")
let isDataTask: Bool = environment.strategy.name == .dataTask
let registered: (any FetchStrategy)? = environment.strategies.first { $0.name == .dataTask }
let subscription = environment.bus.subscribe(to: ImageFetched.self) { event in
  if event.strategy == .socket { print(event.strategy) }
}
if case .unsupportedScheme(strategy: .socket) = FetchError.cancelled { print("http only") }
