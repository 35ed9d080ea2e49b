public import FetcherModel

/// Fetches over non-blocking sockets, without URLSession, using HTTP/1.1 with persistent connections.
///
/// It is the reference of a comparison: it shows how fast the machine can go without Foundation. It supports plain http
/// only; https fails with `unsupportedScheme`. It ignores any proxy in the environment.
public struct SocketStrategy: FetchStrategy {
  /// `socket`.
  public let name = StrategyName.socket
  /// All capabilities except https.
  public let capabilities = StrategyCapabilities.all(
    loadsHTTPS: false,
    "its own sockets and Dispatch sources, no URLSession; HTTP/1.1 without TLS, proxies or compressed bodies")
  private let loader: any SocketTasks
  private let timers: any Scheduler

  /// Creates a strategy on the real network. The runtime provides its timers.
  public init(runtime: any Runtime = DispatchRuntime.shared) {
    self.init(runtime: runtime, loader: SocketLoader.shared)
  }

  /// Creates a strategy on the given network. The runtime provides its timers.
  package init(runtime: any Runtime, loader: any SocketTasks) {
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Starts an exchange over a socket. Completes on the sockets' queue; for https, completes synchronously.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    Transfer(request, timers: timers, httpOnly: name).start(completion) {
      loader.socketTask(request.network(pool: name), delegate: $0)
    }
  }
}

extension StrategyName {
  /// The name of ``SocketStrategy``.
  public static let socket: StrategyName = "socket"
}

extension StrategyFactory {
  /// Creates a ``SocketStrategy``.
  public static let socket = StrategyFactory { SocketStrategy(runtime: $0.runtime, loader: $0.loader.sockets) }
}
