import Foundation
package import Scheduling

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches with a URLSession data task, which reports the body in pieces. Use it with callbacks, for images that fit in
/// memory.
///
/// - **thread**: blocks no thread; the session calls its delegate on a serial queue.
/// - **cancel**: the fetch completes immediately with `cancelled`; over HTTP/1.1, its connection closes.
/// - **status**: known before the body. Outside 200...299 the fetch fails, although URLSession reports success.
/// - **progress**: reported after each piece, with the announced length.
/// - **memory**: holds the pieces received so far. Beyond the size limit, the fetch fails while the body still streams.
/// - **connections**: uses a separate session; at most six connections to a host, kept for the next request.
package struct DataTaskStrategy: FetchStrategy {
  /// `dataTask`.
  package let name = StrategyName.dataTask
  /// All capabilities: cancel, status, progress, redirects.
  package let capabilities = StrategyCapabilities.all("URLSession data task; the body is collected in memory")
  private let loader: any DataTasks
  /// Runs the timer of ``Transfer``, which waits up to one second for the rest of an error page so that the connection
  /// can be reused.
  private let timers: any Scheduler

  /// Creates a strategy on the given network. The runtime provides its timers.
  package init(runtime: any Runtime = DispatchRuntime.shared, loader: any DataTasks = SystemLoader.shared) {
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Starts a data task. Completes on the session's queue or on the cancelling thread.
  package func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    // thread: this call returns immediately. The session's queue calls the transfer, which calls `completion` once.
    Transfer(request, timers: timers).start(completion) { transfer in
      loader.dataTask(request.network(pool: name), delegate: transfer)
    }
  }
}

extension SystemLoader {
  /// Starts a URLSession data task in the session for the request's pool.
  package func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    // connections: all requests of a pool share one session, which the first request creates.
    let session = Session.labelled(label("\(request.pool).data"), settings, DataTaskDelegate())
    // cancel: cancelling the exchange calls `task.cancel()`, at most once and never after the task has ended.
    return session.start(request, delegate) { $0.dataTask(with: $1) }
  }
}

/// Receives the callbacks for data tasks. ``SessionDelegate`` handles redirects, challenges and completion.
private final class DataTaskDelegate: SessionDelegate, URLSessionDataDelegate, @unchecked Sendable {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    // status: the transfer fails with `badStatus` outside 200...299.
    exchange(dataTask)?.announce(response)
    // Always `.allow`, because Linux ignores `.cancel` here. The transfer cancels the task itself.
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(dataTask) else { return }
    exchange.announce(dataTask.response)
    // memory: the transfer appends the piece to the body. Beyond the limit, it drops the body and cancels the task.
    // progress: the transfer then reports the number of bytes received and the number announced.
    exchange.delegate.received(data)
  }
}
