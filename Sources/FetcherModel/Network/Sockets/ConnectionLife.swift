import HTTPWire

/// The state of a connection to a server, as a pure value: no socket, no thread.
///
/// Each transition returns the action for the caller. Its main decision is the meaning of a closed connection. On a
/// connection that
/// was used before, the server may have closed it while the request was in transit. Such a request can be repeated
/// safely.
struct ConnectionLife: Equatable {
  private enum Phase: Equatable {
    case opening
    /// Waiting for the first byte of a response.
    case asking(isRepeatable: Bool)
    case readingHead, readingBody
    case idle, closed
  }

  /// An event of the connection.
  enum Break: Equatable {
    /// The host has no address.
    case unknownHost
    /// No address of the host accepts connections.
    case refused
    /// It ended, and the response parser reports this error.
    case ended(ResponseParser.Fault?)
    case reset
    /// No byte was transferred within the request's limit.
    case silent
    case malformed(ResponseParser.Fault)
  }

  /// The action for the caller. The connection is closed in each case.
  enum Verdict: Equatable {
    /// No task waits.
    case nothing
    /// The request can be sent again on another connection.
    case repeatRequest
    case failed(NetworkError)
  }

  private var phase = Phase.opening
  private var hasServed = false

  var isIdle: Bool { phase == .idle }
  var isClosed: Bool { phase == .closed }

  /// Starts a request on an open connection.
  ///
  /// - Parameter isIdempotent: whether the request can safely be sent twice.
  mutating func ask(isIdempotent: Bool) { phase = .asking(isRepeatable: hasServed && isIdempotent) }

  /// Records received bytes. Returns whether they belong to a response.
  mutating func receive() -> Bool {
    switch phase {
    case .asking: phase = .readingHead
    case .readingHead, .readingBody: break
    case .opening, .idle, .closed: return false
    }
    return true
  }

  mutating func readHead() { phase = .readingBody }

  /// Records a complete response. Returns whether the connection can be reused.
  mutating func finish(isReusable: Bool) -> Bool {
    hasServed = true
    phase = isReusable ? .idle : .closed
    return isReusable
  }

  /// Records that no task waits for the response any more.
  mutating func abandon() { phase = .closed }

  mutating func `break`(_ why: Break) -> Verdict {
    defer { phase = .closed }
    switch (phase, why) {
    case (.idle, _), (.closed, _): return .nothing
    case (.asking(isRepeatable: true), .ended), (.asking(isRepeatable: true), .reset): return .repeatRequest
    case (_, .unknownHost): return .failed(.unknownHost)
    case (_, .refused): return .failed(.refused)
    case (_, .silent): return .failed(.silence)
    case (_, .reset): return .failed(.lost)
    case (_, .malformed(.notHTTP)): return .failed(.notHTTP)
    case (.readingBody, .ended), (_, .malformed(.malformedBody)): return .failed(.cutShort)
    case (_, .ended), (_, .malformed): return .failed(.unusableAnswer)
    }
  }
}
