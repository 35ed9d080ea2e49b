/// The real network: Foundation, and sockets. The file of each strategy has the part that it uses.
public struct SystemLoader: NetworkLoader {
  /// The network of the process.
  public static let shared = SystemLoader()

  let sockets: SocketLoader

  /// Where the environment names a proxy, the first one adds the loopback to `no_proxy`: plain http to this machine goes to
  /// no other. Make it before other threads read the environment.
  ///
  /// - Parameter sockets: what socket tasks run on.
  init(sockets: SocketLoader = .shared) {
    ProxyBypass.activate()
    self.sockets = sockets
  }
}
