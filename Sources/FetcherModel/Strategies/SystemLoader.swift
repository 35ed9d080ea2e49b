import Foundation

/// The real network: Foundation and sockets. The file of each strategy extends it with its call.
public struct SystemLoader: NetworkLoader {
  /// The loader of the process.
  public static let shared = SystemLoader()

  let sockets: SocketLoader

  /// If the environment names a proxy, the first loader adds the loopback interface to `no_proxy`, so that plain http
  /// to this machine
  /// stays here. Make it before other threads read the environment.
  ///
  /// - Parameter sockets: the loader for socket tasks.
  init(sockets: SocketLoader = .shared) {
    ProxyBypass.activate()
    self.sockets = sockets
  }
}

/// Excludes the loopback interface from the proxy of the environment. A proxy has another loopback interface, so it
/// would send plain
/// http that ``TransportPolicy`` allows for this machine to another one.
package enum ProxyBypass {
  /// Adds the loopback interface to `no_proxy` if a proxy is named, once per process.
  ///
  /// This changes the environment: an application calls it before it starts a thread. ``SystemLoader`` calls it at
  /// the latest.
  package static func activate() { activated }

  private static let activated: Void = {
    let environment = ProcessInfo.processInfo.environment
    guard ["http_proxy", "all_proxy", "ALL_PROXY"].contains(where: { environment[$0]?.isEmpty == false }) else {
      return
    }
    // Lowercase names take precedence, so a value under an uppercase name must be copied.
    let existing = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    // A star matches every host only if it stands alone.
    if existing != "*" { setenv("no_proxy", (existing.isEmpty ? "" : existing + ",") + "127.0.0.0/8,localhost,::1", 1) }
  }()
}
