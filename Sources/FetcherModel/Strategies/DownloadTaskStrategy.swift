public import EventBus

/// Fetches with a download task: the body goes to a temporary file, which is read and removed.
///
/// On Linux its progress does not know how many bytes are to come.
/// Call ``PrivateTemporaryDirectory/adopt()`` early in the application, or failed downloads leave files behind on Linux.
public struct DownloadTaskStrategy: FetchStrategy {
  /// `downloadTask`.
  public let name = "downloadTask"
  /// Everything: cancel, status, progress, redirects.
  public let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true,
    note: "URLSession download task; the body goes through a temporary file")
  private let loader: any NetworkLoader

  /// A strategy on the given network.
  public init(loader: any NetworkLoader = FoundationLoader.shared) { self.loader = loader }

  /// Starts a download task. Completes on the session's queue, after the file is read and removed.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let transfer = Transfer(request)
    transfer.start(completion) { loader.downloadTask(request.network(lane: name), delegate: $0) }
    return transfer
  }
}
