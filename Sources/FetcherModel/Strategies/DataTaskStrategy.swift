public import EventBus
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches with a data task of URLSession, which reports the body in pieces.
///
/// - **thread**: blocks none; the session calls its delegate on a serial queue.
/// - **cancel**: ends the fetch at once with `cancelled`, and the task: the session closes its connection.
/// - **status**: known before the body; one outside 200...299 ends the fetch, although URLSession reports success.
/// - **progress**: after each piece, with the announced length.
/// - **memory**: the pieces so far; past the size limit the fetch ends while the body streams.
/// - **connections**: at most six to a host, kept for the next request.
public struct DataTaskStrategy: FetchStrategy {
  /// `dataTask`.
  public let name = "dataTask"
  /// Everything: cancel, status, progress, redirects.
  public let capabilities = StrategyCapabilities.all("URLSession data task; the body is collected in memory")
  private let loader: any DataTasks
  /// Where ``Transfer`` waits a second for the page of an error, which keeps the connection.
  private let timers: any Scheduler

  /// A strategy on the given network, whose timers are those of the runtime.
  public init(runtime: any Runtime = DispatchRuntime.shared, loader: any DataTasks = SystemLoader.shared) {
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Starts a data task. Completes on the session's queue.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    // thread: this returns at once; the session's queue calls the transfer, and the transfer calls `completion`, once.
    // cancel: the transfer completes with `cancelled` and cancels the URLSessionDataTask, at most once, never after its end.
    Transfer(request, timers: timers).start(completion) { transfer in
      loader.dataTask(request.network(pool: name), delegate: transfer)
    }
  }
}

extension SystemLoader {
  /// Starts a data task of URLSession, on the session of the request's pool.
  public func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    // connections: one session for all requests of a pool, made once.
    let session = Session.labelled("\(request.pool).data", DataTaskDelegate())
    return session.start(session.urlSession.dataTask(with: URLRequest(request)), delegate)
  }
}

/// What URLSession reports of a data task. ``SessionDelegate`` has redirects, challenges and the end.
private final class DataTaskDelegate: SessionDelegate, URLSessionDataDelegate, @unchecked Sendable {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    // status: the transfer fails with `badStatus` outside 200...299.
    exchange(dataTask)?.announce(response)
    // Always `.allow`: Linux ignores `.cancel` here, so the transfer cancels the task itself.
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(dataTask) else { return }
    exchange.announce(dataTask.response)
    // memory: the transfer appends the piece to the body; past the limit it drops the body and cancels the task.
    // progress: then it reports the count of bytes, and how many the response announced.
    exchange.delegate.received(data)
  }
}
