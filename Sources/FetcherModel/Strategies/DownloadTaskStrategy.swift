public import EventBus

/// Fetches with a download task: the body goes to a temporary file, which is read and removed.
///
/// On Linux its progress does not know how many bytes are to come.
/// Call ``PrivateTemporaryDirectory/install()`` early in the application, or failed downloads leave files behind on Linux.
public struct DownloadTaskStrategy: FetchStrategy {
  /// `downloadTask`.
  public let name = "downloadTask"
  /// Everything: cancel, status, progress, redirects.
  public let capabilities = StrategyCapabilities.all("URLSession download task; the body goes through a temporary file")
  private let loader: any NetworkLoader

  private let timers: any Scheduler

  /// A strategy on the given network, whose timers are those of the runtime.
  public init(runtime: any Runtime = DispatchRuntime.shared, loader: any NetworkLoader = SystemLoader.shared) {
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Starts a download task. Completes on the session's queue, after the file is read and removed.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    Transfer(request, timers: timers).start(completion) {
      loader.downloadTask(request.network(pool: name), delegate: $0)
    }
  }
}
