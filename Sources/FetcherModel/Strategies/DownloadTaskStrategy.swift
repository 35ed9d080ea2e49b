import Foundation
package import Scheduling

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches with a URLSession download task, which writes the body to a temporary file. Use it when many bodies load
/// concurrently.
///
/// - **thread**: blocks no thread during the transfer. At the end, the session's serial queue reads the file.
/// - **cancel**: the fetch completes immediately with `cancelled`; over HTTP/1.1, its connection closes.
/// - **status**: known with the first bytes on Apple platforms, at the end on Linux. Outside 200...299 the fetch fails.
/// - **progress**: reported after each write. On Linux the announced length is unknown, as the response comes last.
/// - **memory**: holds a buffer while the body loads, and then the whole body, which is read from the file.
/// - **connections**: uses a separate session; at most six connections to a host, kept for the next request.
///
/// Create a ``PrivateTemporaryDirectory`` early in the application. Otherwise, failed downloads leave files behind on
/// Linux. If the directory cannot store a body of the size limit, the fetch fails before it is sent.
package struct DownloadTaskStrategy: FetchStrategy {
  /// `downloadTask`.
  package let name = StrategyName.downloadTask
  /// All capabilities: cancel, status, progress, redirects.
  package let capabilities = StrategyCapabilities.all(
    "URLSession download task; the body goes through a temporary file")
  private let loader: any DownloadTasks
  /// Runs the timer of ``Transfer``, which waits up to one second for the rest of an error page so that the connection
  /// can be reused.
  private let timers: any Scheduler

  /// Creates a strategy on the given network. The runtime provides its timers.
  package init(runtime: any Runtime = DispatchRuntime.shared, loader: any DownloadTasks = SystemLoader.shared) {
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Starts a download task. Completes on the session's queue or on the cancelling thread.
  package func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    // thread: this call returns immediately. The session's queue calls the transfer, which calls `completion` once.
    Transfer(request, timers: timers).start(completion) { transfer in
      loader.downloadTask(request.network(pool: name), delegate: transfer)
    }
  }
}

extension SystemLoader {
  /// Starts a URLSession download task in the session for the request's pool.
  package func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    // connections: all requests of a pool share one session, which the first request creates.
    let session = Session.labelled(label("\(request.pool).download"), settings, DownloadTaskDelegate())
    PrivateTemporaryDirectory.downloadBegins()
    // cancel: cancelling the exchange calls `task.cancel()`, at most once and never after the task has ended.
    return session.start(request, delegate) { $0.downloadTask(with: $1) }
  }

  /// Deletes the files of failed downloads, unless a download is in flight.
  package func removeTemporaryFiles() { PrivateTemporaryDirectory.removeTemporaryFiles() }
}

/// Receives the callbacks for download tasks. ``SessionDelegate`` handles redirects, challenges and completion.
///
/// The class is not a data delegate, because Foundation on Linux traps when it calls a data delegate after a rejected
/// redirect.
private final class DownloadTaskDelegate: SessionDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    guard let exchange = exchange(downloadTask) else { return }
    #if !canImport(FoundationNetworking)
      // status: on Linux, the task has no response until it ends.
      exchange.announce(downloadTask.response)
    #endif
    // progress: the transfer reports the number of bytes received, and fails with `tooLarge` beyond the limit.
    exchange.delegate.progressed(Int(totalBytesWritten))
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    // memory: the body of a redirect that was followed is not read.
    guard let exchange = exchange(downloadTask) else { return _ = try? FileManager.default.removeItem(at: location) }
    exchange.announce(downloadTask.response)
    // The file is renamed, because `removeTemporaryFiles()` deletes files with the extension `tmp`.
    let own = location.deletingLastPathComponent().appendingPathComponent(UUID().uuidString + ".download")
    let isMoved = (try? FileManager.default.moveItem(at: location, to: own)) != nil
    // memory: before this method returns, the transfer reads the whole file and deletes it.
    exchange.delegate.downloaded(DownloadedFile(isMoved ? own : location))
  }

  override func refusal(of request: NetworkRequest) -> NetworkError? {
    PrivateTemporaryDirectory.refusal(of: request.maximumBytes)
  }

  override func ended(_ failure: NetworkError?) { PrivateTemporaryDirectory.downloadEnds(leavesFile: failure != nil) }
}
