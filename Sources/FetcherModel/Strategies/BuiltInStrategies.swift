extension StrategyFactory {
  /// Creates a ``BlockingStrategy``.
  public static let blocking = StrategyFactory(builtIn: .blocking) { BlockingStrategy(runtime: $0, loader: $1) }
  /// Creates a ``DataTaskStrategy``.
  public static let dataTask = StrategyFactory(builtIn: .dataTask) { DataTaskStrategy(runtime: $0, loader: $1) }
  /// Creates a ``DownloadTaskStrategy``.
  public static let downloadTask = StrategyFactory(builtIn: .downloadTask) {
    DownloadTaskStrategy(runtime: $0, loader: $1)
  }
  /// Creates an ``AsyncStrategy``.
  public static let async = StrategyFactory(builtIn: .async) { AsyncStrategy(runtime: $0, loader: $1) }

  /// The four built-in strategies, in the order in which they are shown.
  static let builtIn = [blocking, dataTask, downloadTask, async]
}
