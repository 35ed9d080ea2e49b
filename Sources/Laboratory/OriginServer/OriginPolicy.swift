public import Foundation

/// The time limits and host names that a server enforces.
///
/// The server enforces a time limit with a delay of at most one second, or a quarter of the shorter limit if that is less. The
/// duration of an answer is not limited, because its script decides it.
public struct OriginPolicy: Sendable {
  /// How long the head of a request may take from its first byte to its last. After it, the request gets 408.
  public var headTimeout: Duration
  /// How long a client may keep the server waiting without a byte: for its next request, for the rest of a body (which
  /// gets 408), or for room to send more of an answer (where the connection is reset).
  ///
  /// By default longer than the 118 seconds for which curl, and so Foundation on Linux, uses a kept connection again: the
  /// server does not close it at the moment when a request is on its way.
  public var idleTimeout: Duration
  /// Names of hosts, without port, to which the server answers, besides `localhost`, names below it, 127.0.0.0/8 and
  /// `[::1]`. Requests for any other host get 421.
  ///
  /// With DNS rebinding, a web page can resolve its own host name to this machine and read the responses. List only hosts whose
  /// pages may do so.
  public var hostNames: [String]

  /// Creates a policy. By default, a head takes at most 30 seconds, a silent client has two minutes, and only loopback names are
  /// allowed.
  public init(
    headTimeout: Duration = .seconds(30), idleTimeout: Duration = .seconds(120), hostNames: [String] = []
  ) {
    self.headTimeout = headTimeout
    self.idleTimeout = idleTimeout
    self.hostNames = hostNames
  }
}

/// A consistent snapshot of what a server has done since it started or its counters were reset.
public struct OriginCounters: Equatable, Sendable {
  /// Well-formed requests, counted when their headers are complete, before any latency.
  public var requests = 0
  /// Requests by path, percent-decoded and without the query.
  public var requestsByPath: [OriginPath: Int] = [:]
  /// Bytes handed to the system in answer to requests for a path, headers included.
  public var bytesSentByPath: [OriginPath: Int] = [:]
  /// Answers whose last byte has been handed to the system.
  public var answers = 0
  /// The total time of these answers, each from the end of the request's headers, including scripted latency.
  public var serviceTime = Duration.zero
  /// Requests answered with an error because they were not proper HTTP, too large, too slow or for another host.
  public var malformed = 0
  /// Accepted connections.
  public var connections = 0
  /// Connections open now. Resetting the counters does not change it.
  public var open = 0
  /// Bytes handed to the system, headers included.
  public var bytesSent = 0
  /// Bytes of request bodies read.
  public var bytesReceived = 0

  /// All zero.
  public init() {}
}

/// Why a server could not start.
public enum OriginError: LocalizedError, Equatable, Sendable, CustomStringConvertible {
  /// Another process, or another server of this one, listens on the port.
  case portInUse(UInt16)
  /// The system refused to listen, for the reason given in its own words.
  case cannotListen(String)

  /// The same as ``description``: what `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// The error in one line, with a suggested fix.
  public var description: String {
    switch self {
    case .portInUse(let port): "port \(port) is in use; choose another, or 0 for any free one"
    case .cannotListen(let reason): "cannot listen on 127.0.0.1: \(reason)"
    }
  }
}
