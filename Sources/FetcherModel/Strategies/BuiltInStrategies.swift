extension StrategyFactory {
  /// Fetches with `Data(contentsOf:)`, which blocks a thread for each read. A baseline, for scripts.
  public static let blocking = StrategyFactory(builtIn: .blocking) {
    BlockingStrategy(runtime: $0.runtime, loader: $0.loader)
  }
  /// Fetches with a URLSession data task, and holds the body in memory. Use it with callbacks.
  public static let dataTask = StrategyFactory(builtIn: .dataTask) {
    DataTaskStrategy(runtime: $0.runtime, loader: $0.loader)
  }
  /// Fetches with a URLSession download task, which writes the body to a temporary file. Use it when many bodies load
  /// concurrently, and create a ``PrivateTemporaryDirectory`` early in the application.
  public static let downloadTask = StrategyFactory(builtIn: .downloadTask) {
    DownloadTaskStrategy(runtime: $0.runtime, loader: $0.loader)
  }
  /// Fetches with async and await, using a continuation around a data task. Use it in async code.
  public static let async = StrategyFactory(builtIn: .async) { AsyncStrategy(runtime: $0.runtime, loader: $0.loader) }

  /// Fetches like ``blocking``, with other settings.
  ///
  /// - Parameters:
  ///   - name: the name under which the strategy is registered.
  ///   - maximumInFlight: the maximum number of reads that block a thread at the same time. Further reads wait in
  ///     order.
  ///   - usesOwnQueues: whether each of these reads has its own serial queue, which gets a thread sooner than the
  ///     global one.
  public static func blocking(
    _ name: StrategyName, maximumInFlight: Int = 8, usesOwnQueues: Bool = false
  ) -> StrategyFactory {
    StrategyFactory {
      BlockingStrategy(
        name: name, runtime: $0.runtime, loader: $0.loader, maximumInFlight: maximumInFlight,
        usesOwnQueues: usesOwnQueues)
    }
  }

  /// The four built-in strategies, in the order in which they are shown.
  static let builtIn = [blocking, dataTask, downloadTask, async]
}
