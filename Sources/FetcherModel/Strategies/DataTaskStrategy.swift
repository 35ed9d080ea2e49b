public import EventBus

/// Fetches with a data task: the body arrives in pieces, on the session's own queue.
public struct DataTaskStrategy: FetchStrategy {
  /// `dataTask`.
  public let name = "dataTask"
  /// Everything: cancel, status, progress, redirects.
  public let capabilities = StrategyCapabilities.all("URLSession data task; the body is collected in memory")
  private let loader: any NetworkLoader

  private let timers: any Scheduler

  /// A strategy on the given network, whose timers are those of the runtime.
  public init(runtime: any Runtime = DispatchRuntime.shared, loader: any NetworkLoader = SystemLoader.shared) {
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Starts a data task. Completes on the session's queue.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    Transfer(request, timers: timers).start(completion) {
      loader.dataTask(request.network(pool: name), delegate: $0)
    }
  }
}
