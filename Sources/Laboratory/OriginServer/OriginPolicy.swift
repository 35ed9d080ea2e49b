public import Foundation

/// The time limits and host names that a server enforces.
///
/// The server enforces a time limit with a delay of at most one second, or a quarter of the shorter limit if that is
/// less. The duration of a response is not limited, because its script decides it.
public struct OriginPolicy: Sendable {
  /// The maximum time from the first byte of a request's head to its last. After it, the status is 408.
  public var headTimeout: Duration
  /// The maximum time that a client may keep the server waiting without a byte: for its next request, for the rest of a
  /// body (then the status is 408), or until the socket is writable (then the connection is reset).
  ///
  /// The default is longer than 118 seconds, for which curl, and so Foundation on Linux, reuses an idle connection. So
  /// the server does not close it while a request is in transit.
  public var idleTimeout: Duration
  /// Accepted host names without port, in addition to `localhost`, names below it, 127.0.0.0/8 and `[::1]`. The status
  /// for any other host is 421.
  ///
  /// With DNS rebinding, a web page can resolve its own host name to this machine and read the responses. List only
  /// hosts whose pages may do so.
  public var hostNames: [String]

  /// Creates a policy. By default, a head takes at most 30 seconds, a silent client has two minutes, and only loopback
  /// names are allowed.
  public init(
    headTimeout: Duration = .seconds(30), idleTimeout: Duration = .seconds(120), hostNames: [String] = []
  ) {
    self.headTimeout = headTimeout
    self.idleTimeout = idleTimeout
    self.hostNames = hostNames
  }
}

/// A consistent snapshot of the server's counters since its start or their reset.
public struct OriginCounters: Equatable, Sendable {
  /// The number of well-formed requests, counted when their headers are complete, before any latency.
  public var requests = 0
  /// Requests by path, percent-decoded and without the query.
  public var requestsByPath: [OriginPath: Int] = [:]
  /// The number of bytes sent in response to requests for a path, including headers.
  public var bytesSentByPath: [OriginPath: Int] = [:]
  /// The number of responses whose last byte was sent.
  public var answers = 0
  /// The total time of these responses, each from the end of the request's headers, including scripted latency.
  public var serviceTime = Duration.zero
  /// The number of requests rejected as malformed, too large, too slow or for another host.
  public var malformed = 0
  /// The number of accepted connections.
  public var connections = 0
  /// The number of open connections. Resetting the counters does not change it.
  public var open = 0
  /// The number of bytes sent, including headers.
  public var bytesSent = 0
  /// The number of bytes received in request bodies.
  public var bytesReceived = 0

  /// Makes counters that are all zero.
  public init() {}
}

/// The reason why a server could not start.
public enum OriginError: LocalizedError, Equatable, Sendable, CustomStringConvertible {
  /// Another process or another server of this process listens on the port.
  case portInUse(UInt16)
  /// The system refused to listen, with its own message.
  case cannotListen(String)

  /// The same as ``description``. `localizedDescription` returns it.
  public var errorDescription: String? { description }

  /// The problem and its remedy, on one line.
  public var description: String {
    switch self {
    case .portInUse(let port): "port \(port) is in use; choose another port, or 0 for any free port"
    case .cannotListen(let reason): "cannot listen on 127.0.0.1: \(reason)"
    }
  }
}
