import Foundation

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

/// Keeps the loopback interface out of the proxy that the environment may name: a proxy has a loopback of its own, and what
/// ``TransportPolicy`` lets through as plain http to this machine would go elsewhere.
package enum ProxyBypass {
  /// Adds the loopback to `no_proxy` where a proxy is named, once in the life of the process.
  ///
  /// It then changes the environment: an application calls it before there is another thread. Using ``SystemLoader``
  /// does it at the latest.
  package static func activate() { activated }

  private static let activated: Void = {
    let environment = ProcessInfo.processInfo.environment
    guard ["http_proxy", "all_proxy", "ALL_PROXY"].contains(where: { environment[$0]?.isEmpty == false }) else {
      return
    }
    // The small letters are read first; a value that was only in capitals must survive that.
    let existing = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    // A star, which stands for every host, counts only alone.
    if existing != "*" { setenv("no_proxy", (existing.isEmpty ? "" : existing + ",") + "127.0.0.0/8,localhost,::1", 1) }
  }()
}
