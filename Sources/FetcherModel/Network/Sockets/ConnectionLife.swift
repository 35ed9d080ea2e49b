import HTTPWire

/// What a connection to a server is doing, as a pure value: no socket, no thread.
///
/// Its transitions say what the shell has to do. It decides above all what the end of a connection means: on one that was
/// used before, the server may have closed it while the request was on its way, and then the request is safe to repeat.
struct ConnectionLife: Equatable {
  private enum Phase: Equatable {
    case opening
    /// Waiting for the first byte of an answer.
    case asking(isRepeatable: Bool)
    case readingHead, readingBody
    case idle, closed
  }

  /// What happened to the connection.
  enum Break: Equatable {
    /// The host has no address.
    case unknownHost
    /// None of its addresses takes connections.
    case refused
    /// It ended, which the parser of the answer takes for this.
    case ended(ResponseParser.Fault?)
    case reset
    /// No byte was transferred for as long as the request allows.
    case silent
    case malformed(ResponseParser.Fault)
  }

  /// What follows from that. The connection is closed in each case.
  enum Verdict: Equatable {
    /// Nobody waits for anything.
    case nothing
    /// The request may be sent once more, by another connection.
    case repeatRequest
    case failed(NetworkError)
  }

  private var phase = Phase.opening
  private var hasServed = false

  var isIdle: Bool { phase == .idle }
  var isClosed: Bool { phase == .closed }

  /// A request begins, on an open connection.
  ///
  /// - Parameter isIdempotent: whether it does no harm to send it twice.
  mutating func ask(isIdempotent: Bool) { phase = .asking(isRepeatable: hasServed && isIdempotent) }

  /// Bytes have come. Returns whether they belong to an answer.
  mutating func receive() -> Bool {
    switch phase {
    case .asking: phase = .readingHead
    case .readingHead, .readingBody: break
    case .opening, .idle, .closed: return false
    }
    return true
  }

  mutating func readHead() { phase = .readingBody }

  /// The answer is whole. Returns whether the connection is kept.
  mutating func finish(isReusable: Bool) -> Bool {
    hasServed = true
    phase = isReusable ? .idle : .closed
    return isReusable
  }

  /// Nobody waits for the answer any more.
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
