public import EventBus

/// Creates a strategy on the runtime and the network of an environment.
///
/// ```swift
/// let environment = FetchEnvironment(strategy: .async)
/// let offline = FetchEnvironment(strategy: StrategyFactory { _, _ in folderStrategy(pictures) })
/// ```
public struct StrategyFactory: Sendable {
  package let make: @Sendable (_ runtime: any Runtime, _ loader: any NetworkLoader) -> any FetchStrategy

  /// Creates a factory from a closure, which is called once for each environment.
  ///
  /// - Parameter make: a closure that returns the strategy. The runtime provides its timers and tasks, and the loader
  ///   sends its requests.
  public init(
    _ make: @escaping @Sendable (_ runtime: any Runtime, _ loader: any NetworkLoader) -> any FetchStrategy
  ) {
    self.make = make
  }

  /// Creates a ``BlockingStrategy``.
  public static let blocking = StrategyFactory { BlockingStrategy(runtime: $0, loader: $1) }
  /// Creates a ``DataTaskStrategy``.
  public static let dataTask = StrategyFactory { DataTaskStrategy(runtime: $0, loader: $1) }
  /// Creates a ``DownloadTaskStrategy``.
  public static let downloadTask = StrategyFactory { DownloadTaskStrategy(runtime: $0, loader: $1) }
  /// Creates an ``AsyncStrategy``.
  public static let async = StrategyFactory { AsyncStrategy(runtime: $0, loader: $1) }

  /// The four built-in strategies, in the order in which they are shown.
  static let standard = [blocking, dataTask, downloadTask, async]
}
