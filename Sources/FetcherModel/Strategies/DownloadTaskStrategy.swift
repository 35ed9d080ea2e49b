public import EventBus
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches with a download task of URLSession, which writes the body to a temporary file.
///
/// - **thread**: blocks none for the network; the session's serial queue reads the file at the end.
/// - **cancel**: ends the fetch at once with `cancelled`, and the task: the session closes its connection.
/// - **status**: known with the body on Apple platforms, at the end on Linux; one outside 200...299 ends the fetch.
/// - **progress**: after each write; the announced length is unknown on Linux.
/// - **memory**: a buffer while it loads; the whole body once the file is read.
/// - **connections**: at most six to a host, kept for the next request.
///
/// Call ``PrivateTemporaryDirectory/install()`` early in the application, or failed downloads leave files behind on Linux.
public struct DownloadTaskStrategy: FetchStrategy {
  /// `downloadTask`.
  public let name = "downloadTask"
  /// Everything: cancel, status, progress, redirects.
  public let capabilities = StrategyCapabilities.all("URLSession download task; the body goes through a temporary file")
  private let loader: any DownloadTasks
  /// Where ``Transfer`` waits a second for the page of an error, which keeps the connection.
  private let timers: any Scheduler

  /// A strategy on the given network, whose timers are those of the runtime.
  public init(runtime: any Runtime = DispatchRuntime.shared, loader: any DownloadTasks = SystemLoader.shared) {
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Starts a download task. Completes on the session's queue, after the file is read and removed.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    // thread: this returns at once; the session's queue calls the transfer, and the transfer calls `completion`, once.
    // cancel: the transfer completes with `cancelled` and cancels the URLSessionDownloadTask, at most once, never after its end.
    Transfer(request, timers: timers).start(completion) { transfer in
      loader.downloadTask(request.network(pool: name), delegate: transfer)
    }
  }
}

extension SystemLoader {
  /// Starts a download task of URLSession, on the session of the request's pool.
  public func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    // connections: one session for all requests of a pool, made once.
    let session = Session.labelled("\(request.pool).download", DownloadTaskDelegate())
    PrivateTemporaryDirectory.downloadBegins()
    return session.start(session.urlSession.downloadTask(with: URLRequest(request)), delegate)
  }

  /// Deletes what failed downloads left, unless one is in flight.
  public func removeTemporaryFiles() { PrivateTemporaryDirectory.removeTemporaryFiles() }
}

/// What URLSession reports of a download task. ``SessionDelegate`` has redirects, challenges and the end.
///
/// Not a data delegate: Foundation on Linux would report the page of a refused redirect to it, and trap without a data task.
private final class DownloadTaskDelegate: SessionDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    guard let exchange = exchange(downloadTask) else { return }
    #if !canImport(FoundationNetworking)
      // status: on Linux the task has its response only at the end, perhaps after this call.
      exchange.announce(downloadTask.response)
    #endif
    // progress: the transfer reports the count, and ends with `tooLarge` past the limit.
    exchange.delegate.progressed(Int(totalBytesWritten))
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    guard let exchange = exchange(downloadTask) else { return _ = try? FileManager.default.removeItem(at: location) }
    exchange.announce(downloadTask.response)
    // Apple platforms delete the file when this returns. Under another name, no removal of stale files deletes it either.
    let own = location.deletingLastPathComponent().appendingPathComponent(UUID().uuidString + ".download")
    let isMoved = (try? FileManager.default.moveItem(at: location, to: own)) != nil
    // memory: the transfer reads the file whole, and removes it.
    exchange.delegate.downloaded(DownloadedFile(isMoved ? own : location))
  }

  override func ended(_ failure: NetworkError?) { PrivateTemporaryDirectory.downloadEnds(leavesFile: failure != nil) }
}
