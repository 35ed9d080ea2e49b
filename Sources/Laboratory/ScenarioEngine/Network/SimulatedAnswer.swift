import FetcherModel
import Foundation
import OriginServer
import ScenarioFormat

/// The answer to one request in pieces, as Foundation would report it.
struct SimulatedAnswer: Sendable {
  /// The time from the request to the head, or to the error if there is no head.
  var latency = Duration.zero
  /// Nil if the network fails before it.
  var status: Int?
  /// The redirect target from the server.
  var location: String?
  /// Whether Foundation delays the head until the body has ended, because it may follow a redirect.
  var isRedirect: Bool { status.map(Scenario.Response.redirects.contains) ?? false }
  /// Whether the client requests credentials, which do not exist. It supports only basic authentication.
  var asksForCredentials = false
  var expectedLength: Int?
  var contentType: String?
  /// The header fields by name, in alphabetical order.
  var headers: [(name: String, value: String)] = []
  /// All received bytes.
  var body = Data()
  /// Their timing.
  var pieces = BodyPieces(count: 0, rate: nil, size: standardPieceSize)
  /// The time from the last piece to the end.
  var lastWait = Duration.zero
  /// The silence after which the client gives up.
  var timeout = Duration.zero
  /// The code of the final error, or nil for success.
  var error: Int?

  private static let standardPieceSize = 16 * 1024

  /// A connection that is refused.
  static let refused = SimulatedAnswer(error: -1004)
  /// A host without an address.
  static let unknownHost = SimulatedAnswer(error: -1003)

  /// - Parameters:
  ///   - response: the response of the origin.
  ///   - body: its whole body.
  ///   - timeout: the silence after which the client gives up.
  init(_ response: OriginResponse, body: Data, timeout: Duration) {
    latency = response.latency
    self.timeout = timeout
    switch response.fault {
    case .closeBeforeHeaders:
      error = -1011
      return
    case .garbage:
      error = -1002
      return
    default: break
    }
    status = response.status
    let hasBody = response.status != 204 && response.status != 304
    let isFramed = response.chunked || response.fault == .malformedChunk || response.fault == .slowClose
    expectedLength = isFramed ? nil : hasBody ? body.count : 0
    let header = { name in response.headers.first { $0.0.lowercased() == name }?.1 }
    contentType = header("content-type") ?? (hasBody && !body.isEmpty ? "application/octet-stream" : nil)
    headers = response.headers.map { (name: $0.0, value: $0.1) }
    if let contentType, header("content-type") == nil { headers.append(("Content-Type", contentType)) }
    if let expectedLength { headers.append(("Content-Length", "\(expectedLength)")) }
    headers.sort { $0.name < $1.name }
    if isRedirect { location = header("location") }
    var sent = hasBody ? body : Data()
    switch response.fault {
    case .reset(let count):
      sent = sent.prefix(count)
      error = -1005
    case .truncate(let count):
      sent = sent.prefix(count)
      // Foundation reports only "unknown" if a body stops before its announced length.
      error = -1
    case .stall(let count):
      sent = sent.prefix(count)
      lastWait = timeout
      error = -1001
    case .malformedChunk:
      sent = sent.prefix(body.count / 2)
      error = -1
    case .slowClose: lastWait = OriginFault.slowCloseDelay
    default: break
    }
    let challenge = response.status == 401 ? header("www-authenticate") : nil
    asksForCredentials = error == nil && challenge?.contains(/\bbasic\b.*\brealm\s*=/.ignoresCase()) == true
    self.body = Data(sent)
    pieces = BodyPieces(
      count: sent.count, rate: response.bytesPerSecond,
      size: response.chunked ? response.chunkSize : Self.standardPieceSize)
  }

  private init(error: Int) { self.error = error }

  /// The head for the client, or nil if the network fails before it.
  func head(from url: URL) -> NetworkResponse? {
    status.map {
      NetworkResponse(url: url, status: $0, expectedLength: expectedLength, contentType: contentType, headers: headers)
    }
  }

  /// The time from the request to the end.
  var duration: Duration { latency + pieces.duration + lastWait }
}

/// The pieces of a body with their times. Pure.
///
/// A paced body arrives as ``OriginServer`` sends it: every few milliseconds, later in larger pieces, because a run
/// has a limited number of steps.
struct BodyPieces: Sendable {
  /// The interval at which a server sends pending bytes; its timers are not finer.
  private static let tick = Duration.milliseconds(5)
  /// The share of the elapsed time that a later piece takes.
  private static let growth = 16
  /// A run has a limited number of steps, and TCP also joins small pieces.
  private static let mostUnpaced = 64

  /// The total number of bytes.
  let count: Int
  /// Bytes per second, or nil for no limit.
  let rate: Int?
  private let size: Int

  /// - Parameter size: the minimum number of bytes in an unpaced piece.
  init(count: Int, rate: Int?, size: Int) {
    self.count = count
    self.rate = rate
    self.size = max(size, (count + Self.mostUnpaced - 1) / Self.mostUnpaced, 1)
  }

  /// The time from the first byte to the last.
  var duration: Duration { time(of: count) }

  /// The piece after the first `received` bytes: its end and its duration, or nil at the end.
  func next(after received: Int) -> (end: Int, wait: Duration)? {
    guard received < count else { return nil }
    guard let rate else { return (min(received + size, count), .zero) }
    let now = time(of: received)
    let due = Int((now + max(Self.tick, now / Self.growth)).inSeconds * Double(rate))
    let end = min(max(due, received + 1), count)
    return (end, time(of: end) - now)
  }

  private func time(of bytes: Int) -> Duration {
    rate.map { .seconds(Double(bytes) / Double($0)) } ?? .zero
  }
}
