/// What a server has done since it started or its counters were reset: one consistent snapshot.
public struct OriginCounters: Equatable, Sendable {
  /// Well-formed requests, counted when their headers are complete, before any latency.
  public var requests = 0
  /// The same by path, percent-decoded and without the query.
  public var requestsByPath: [OriginPath: Int] = [:]
  /// Bytes handed to the system in answer to requests for a path, headers included.
  public var bytesSentByPath: [OriginPath: Int] = [:]
  /// Answers whose last byte has been handed to the system.
  public var answers = 0
  /// The time that those took together, each from the end of the request's headers; scripted latency included.
  public var serviceTime = Duration.zero
  /// Requests answered with an error because they were not proper HTTP, too large, too slow or for another host.
  public var malformed = 0
  /// Accepted connections.
  public var connections = 0
  /// Connections open now; a reset leaves it.
  public var open = 0
  /// Bytes handed to the system, headers included.
  public var bytesSent = 0
  /// Bytes of request bodies read.
  public var bytesReceived = 0

  /// All zero.
  public init() {}
}
