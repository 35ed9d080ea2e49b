/// What a server demands of its clients.
///
/// A limit of time is noticed late, by a second at most, or by a quarter of the shorter limit where that is less. How long
/// an answer takes is not limited, as that is for its script to say.
public struct OriginPolicy: Sendable {
  /// How long the head of a request may take from its first byte to its last. After it, the request gets 408.
  public var headTimeout: Duration
  /// How long a client may keep the server waiting without a byte: for its next request, for the rest of a body (which
  /// gets 408), or for room to send more of an answer (where the connection is reset).
  ///
  /// By default longer than the 118 seconds for which curl, and so Foundation on Linux, uses a kept connection again: the
  /// server does not close it at the moment when a request is on its way.
  public var idleTimeout: Duration
  /// Names of hosts, without port, to which the server answers beside `localhost`, names below it, 127.0.0.0/8 and
  /// `[::1]`. Requests for any other host get 421.
  ///
  /// A web page can lead its own name to this machine (DNS rebinding) and then read what the server says. So name only
  /// hosts whose pages may.
  public var hostNames: [String]

  /// A policy; by default 30 seconds for a head, two minutes of silence, and no names but those of loopback.
  public init(
    headTimeout: Duration = .seconds(30), idleTimeout: Duration = .seconds(120), hostNames: [String] = []
  ) {
    self.headTimeout = headTimeout
    self.idleTimeout = idleTimeout
    self.hostNames = hostNames
  }
}
