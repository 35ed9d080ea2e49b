public import EventBus

/// Fetches over non-blocking sockets: HTTP/1.1 with connections that are kept, without URLSession.
///
/// Plain http only: https ends with ``FetchError/unsupportedScheme(strategy:)``. It ignores a proxy that the environment names.
public struct SocketStrategy: FetchStrategy {
  /// `socket`.
  public let name = StrategyName.socket
  /// Everything but https.
  public let capabilities = StrategyCapabilities.all(
    loadsHTTPS: false,
    "own sockets and Dispatch sources, no URLSession; HTTP/1.1 without TLS, proxies or compressed bodies")
  private let loader: any SocketTasks
  private let timers: any Scheduler

  /// A strategy on the given network, whose timers are those of the runtime.
  public init(runtime: any Runtime = DispatchRuntime.shared, loader: any SocketTasks = SystemLoader.shared) {
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Starts an exchange over a socket. Completes on the queue of the sockets; for https inside this call.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    Transfer(request, timers: timers, httpOnly: name).start(completion) {
      loader.socketTask(request.network(pool: name), delegate: $0)
    }
  }
}

extension SystemLoader {
  /// Starts an exchange over a socket. https ends with code -1002, a packed body with -1016.
  public func socketTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    sockets.task(request, delegate: delegate)
  }
}
