import Foundation

/// The real network, built on Foundation and sockets. Each strategy's file extends it with that strategy's network
/// call.
public struct SystemLoader: NetworkLoader {
  /// The shared loader of this process.
  public static let shared = SystemLoader()

  let sockets: SocketLoader

  /// If the environment specifies a proxy, the first loader adds the loopback interface to `no_proxy`, so that requests
  /// to this machine bypass the proxy. Create the first loader before other threads read the environment.
  ///
  /// - Parameter sockets: the loader for socket tasks.
  init(sockets: SocketLoader = .shared) {
    ProxyBypass.activate()
    self.sockets = sockets
  }
}

/// Excludes the loopback interface from the environment's proxy. A proxy on another machine has its own loopback
/// interface. Plain http that ``TransportPolicy`` allows only to this machine would therefore reach the proxy's machine
/// instead.
package enum ProxyBypass {
  /// Adds the loopback interface to `no_proxy` if a proxy is specified. Has an effect only once per process.
  ///
  /// This method changes the environment, so an application must call it before starting any threads. If the
  /// application does not call it, ``SystemLoader`` does.
  package static func activate() { activated }

  private static let activated: Void = {
    let environment = ProcessInfo.processInfo.environment
    // libcurl ignores empty variables.
    let value = { (names: [String]) in names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    // There is no HTTP_PROXY, because a CGI server would set it to a request's field `Proxy`.
    guard value(["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) != nil else { return }
    // Lowercase names take precedence, so a value under the uppercase name must be copied.
    let existing = value(["no_proxy", "NO_PROXY"]) ?? ""
    // A star matches every host only if it is the whole value.
    if existing != "*" { setenv("no_proxy", (existing.isEmpty ? "" : existing + ",") + "127.0.0.0/8,localhost,::1", 1) }
  }()
}
