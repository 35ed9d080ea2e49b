import FetcherModel
import HTTPWire

/// The state of a connection to a server, as a pure value without sockets or threads.
///
/// Each transition returns the action for the caller. The main decision is how to treat a closed connection. The server
/// may have closed a reused connection while the request was in transit. In that case, the request can safely be
/// repeated.
struct ConnectionLife: Equatable {
  private enum Phase: Equatable {
    case opening
    /// Waiting for the first byte of the response.
    case asking(isRepeatable: Bool)
    case readingHead, readingBody
    case idle, closed
  }

  /// An event that ends the connection.
  enum Break: Equatable {
    /// The host name has no addresses.
    case unknownHost
    /// None of the host's addresses accepts connections.
    case refused
    /// The connection ended, and the response parser reported this error.
    case ended(ResponseParser.Fault?)
    case reset
    /// No byte was transferred within the request's timeout.
    case silent
    case malformed(ResponseParser.Fault)
  }

  /// The action for the caller. The connection is closed in every case.
  enum Verdict: Equatable {
    /// No task is waiting.
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
  /// - Parameter isIdempotent: whether it is safe to send the request twice.
  mutating func ask(isIdempotent: Bool) { phase = .asking(isRepeatable: hasServed && isIdempotent) }

  /// Records that bytes were received. Returns whether the bytes belong to a response.
  mutating func receive() -> Bool {
    switch phase {
    case .asking: phase = .readingHead
    case .readingHead, .readingBody: break
    case .opening, .idle, .closed: return false
    }
    return true
  }

  mutating func readHead() { phase = .readingBody }

  /// Records that the response is complete. Returns whether the connection can be reused.
  mutating func finish(isReusable: Bool) -> Bool {
    hasServed = true
    phase = isReusable ? .idle : .closed
    return isReusable
  }

  /// Records that no task is waiting for the response any longer.
  mutating func abandon() { phase = .closed }

  mutating func `break`(_ why: Break) -> Verdict {
    defer { phase = .closed }
    switch (phase, why) {
    case (.idle, _), (.closed, _): return .nothing
    case (.asking(isRepeatable: true), .ended), (.asking(isRepeatable: true), .reset): return .repeatRequest
    case (_, .unknownHost): return .failed(.unknownHost)
    case (_, .refused): return .failed(.refused)
    case (_, .silent): return .failed(.timedOut)
    case (_, .reset): return .failed(.connectionLost)
    case (_, .malformed(.notHTTP)): return .failed(.notHTTP)
    case (.readingBody, .ended), (_, .malformed(.malformedBody)): return .failed(.cutShort)
    case (_, .ended), (_, .malformed): return .failed(.unusableAnswer)
    }
  }
}
