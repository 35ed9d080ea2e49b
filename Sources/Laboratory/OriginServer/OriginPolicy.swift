public import Foundation
import HTTPWire
import PlainText

/// The time limits and host names that a server enforces.
///
/// A time limit can be exceeded by at most one second or a quarter of the shorter limit, whichever is less. The
/// duration of a response is not limited, because its script determines it.
public struct OriginPolicy: Sendable {
  /// The maximum time from the first byte of a request's head to its last byte. If this time is exceeded, the status is
  /// 408.
  public var headTimeout: Duration
  /// The maximum time for which a client may keep the server waiting without transferring a byte. The limit applies
  /// while the server waits for the next request, for the rest of a body, or for the socket to become writable. If a
  /// body arrives too slowly, the status is 408. If the socket stays unwritable for too long, the connection is reset.
  ///
  /// Curl, and therefore Foundation on Linux, reuses an idle connection for 118 seconds. The default is longer, so the
  /// server does not close the connection while a request is in transit.
  public var idleTimeout: Duration
  /// The accepted host names, without ports. `localhost`, names under it, 127.0.0.0/8 and `[::1]` are always accepted.
  /// The status for any other host is 421.
  ///
  /// With DNS rebinding, a web page can resolve its own host name to this machine and read the responses. List only
  /// hosts whose pages are allowed to read the responses.
  public var hostNames: [String]
  /// The maximum size of a request's head and body in bytes. The status for larger ones is 431 and 413.
  package var (headBytes, bodyBytes) = (RequestLimits.headBytes, RequestLimits.bodyBytes)
  /// Whether a request of a web page gets the status 403. A browser marks its requests with the
  /// field `Sec-Fetch-Site`, `Origin` or `Upgrade`.
  package var refusesBrowsers = false
  /// The maximum number of open connections, or nil for no limit. A further client replaces the connection that has kept
  /// the server waiting for the longest time.
  package var connections: Int?

  /// Creates a policy. By default, a head may take up to 30 seconds, and a client may be silent for up to two minutes.
  /// Only loopback names are accepted.
  public init(
    headTimeout: Duration = .seconds(30), idleTimeout: Duration = .seconds(120), hostNames: [String] = []
  ) {
    self.headTimeout = headTimeout
    self.idleTimeout = idleTimeout
    self.hostNames = hostNames
  }
}

/// A consistent snapshot of the server's counters since it started or since the counters were reset.
public struct OriginCounters: Equatable, Sendable {
  /// The number of well-formed requests, counted when their headers are complete, before any latency.
  public var requests = 0
  /// The number of requests by path. The path is percent-decoded and has no query.
  ///
  /// The paths of routes are always counted. Other paths are counted until they occupy about one megabyte, which is
  /// several thousand paths. Requests for further paths are included only in ``requests``.
  public var requestsByPath: [OriginPath: Int] = [:]
  /// The number of bytes sent in response to requests for a path, including headers. The same paths are counted as in
  /// ``requestsByPath``.
  public var bytesSentByPath: [OriginPath: Int] = [:]
  /// The number of responses that were sent completely.
  public var answers = 0
  /// The total time of all responses that were sent completely. Each response is timed from the end of the request's
  /// headers, including scripted latency.
  public var serviceTime = Duration.zero
  /// The number of requests that were rejected because they were malformed, too large, too slow or for another host.
  public var malformed = 0
  /// The number of accepted connections.
  public var connections = 0
  /// The number of open connections. A reset of the counters does not change this number.
  public var open = 0
  /// The number of bytes sent, including headers.
  public var bytesSent = 0
  /// The number of bytes received in request bodies.
  public var bytesReceived = 0

  /// Creates counters, all initialized to zero.
  public init() {}
}

/// The reason why a server could not start.
public enum OriginError: LocalizedError, Equatable, Sendable, CustomStringConvertible {
  /// Another process, or another server in this process, is already listening on the port.
  case portInUse(UInt16)
  /// The system refused to listen. The value is the system's error message.
  case cannotListen(String)

  /// The same text as ``description``, so that `localizedDescription` returns it.
  public var errorDescription: String? { description }

  /// The problem and its remedy, on one line.
  public var description: String {
    switch self {
    case .portInUse(let port): "port \(port) is in use; choose another port, or 0 for any free port"
    case .cannotListen(let reason): "cannot listen on 127.0.0.1: \(reason)"
    }
  }
}

/// The host names that a server accepts: the loopback names and additional ones.
struct HostNames: Sendable {
  private let others: [String]

  init(others: [String]) { self.others = others }

  /// Returns whether a request's `Host`, with or without a port, is accepted.
  func contains(_ host: String) -> Bool {
    guard let name = Self.withoutPort(asciiLowercased(host.utf8)[...]) else { return false }
    return Self.isLoopback(name) || others.contains { name.elementsEqual(asciiLowercased($0.utf8)) }
  }

  /// A human-readable list of all accepted names.
  var description: String {
    (["localhost", "127.0.0.0/8", "[::1]"] + others).listed(with: "and")
  }

  private static func isLoopback(_ name: ArraySlice<UInt8>) -> Bool {
    if name.elementsEqual("localhost".utf8) || name.elementsEqual("[::1]".utf8) { return true }
    // No resolver maps a name under `localhost` to another machine (RFC 6761), so no web page can have such a host
    // name.
    if name.count > 10, name.suffix(10).elementsEqual(".localhost".utf8) { return true }
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].elementsEqual("127".utf8)
      && parts.allSatisfy { $0.allSatisfy(isDigit) && UInt8(String(decoding: $0, as: UTF8.self)) != nil }
  }

  /// Returns the host without its port. Returns nil if the name is followed by anything other than a port.
  private static func withoutPort(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // The colons in a bracketed address come before the port.
    let from = host.first == UInt8(ascii: "[") ? host.firstIndex(of: UInt8(ascii: "]")) : host.startIndex
    guard let from, let colon = host[from...].firstIndex(of: UInt8(ascii: ":")) else { return host }
    return host[colon...].dropFirst().allSatisfy(isDigit) ? host[..<colon] : nil
  }
}
