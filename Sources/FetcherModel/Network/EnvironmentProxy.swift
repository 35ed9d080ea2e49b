import Foundation

/// The proxy that the process's environment specifies, which Foundation on Linux uses for every session.
///
/// A proxy on another machine has its own loopback interface. A request to this machine, which ``TransportPolicy``
/// allows over plain http, would reach the proxy's machine instead, so a loader refuses it. The library does not change
/// the environment: an application adds ``loopback`` to `no_proxy` before it starts threads.
package enum EnvironmentProxy {
  /// The hosts of the loopback interface, in the form of `no_proxy`.
  package static let loopback = ["127.0.0.0/8", "localhost", "::1"]

  /// Whether the environment specifies a proxy for http or https.
  package static var isSpecified: Bool {
    value(["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) != nil
  }

  /// The hosts that bypass the proxy, or an empty string. The lowercase name takes precedence.
  package static var exceptions: String { value(["no_proxy", "NO_PROXY"]) ?? "" }

  /// Returns the error for a request to this machine that would be sent to the proxy, or nil.
  static func refusal(of url: URL) -> NetworkError? {
    #if canImport(FoundationNetworking)
      guard url.scheme?.lowercased() == "http", let host = url.host, TransportPolicy.isLoopback(host),
        // There is no HTTP_PROXY, because a CGI server would set it to a request's field `Proxy`.
        value(["http_proxy", "all_proxy", "ALL_PROXY"]) != nil, !isExcepted(host.lowercased())
      else { return nil }
      return .proxiedLoopback
    #else
      return nil
    #endif
  }

  private static func isExcepted(_ host: String) -> Bool {
    // A star matches every host only if it is the whole value.
    guard exceptions != "*" else { return true }
    let listed = exceptions.lowercased().split { $0 == "," || $0 == " " }
    let network = host.first?.isNumber == true ? "127.0.0.0/8" : host
    return listed.contains { $0 == host || $0 == network }
  }

  /// Returns the first value that is not empty, because libcurl ignores empty variables.
  private static func value(_ names: [String]) -> String? {
    names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
  }
}
