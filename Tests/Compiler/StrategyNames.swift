// compiles
import FetcherModel

let environment = try FetchEnvironment(strategy: .async)
for name in [StrategyName.blocking, .dataTask, .downloadTask, .async, .socket, "folder"] {
  try environment.select(strategy: name)
}
try environment.select(strategy: .dataTask)
try environment.select(strategy: "downloadTask")
