import FetcherModel
import Foundation
import OriginServer
import ScenarioFormat

/// The response to one request, divided into the pieces that Foundation would report.
struct SimulatedAnswer: Sendable {
  /// The time from the request to the head, or to the error if there is no head.
  var latency = Duration.zero
  /// The status, or nil if the network fails before the head arrives.
  var status: Int?
  /// The redirect target that the server sent.
  var location: String?
  /// Whether Foundation delays the head until the body has ended, because it may have to follow a redirect.
  var isRedirect: Bool { status.map(Scenario.Response.redirects.contains) ?? false }
  /// Whether the client looks for credentials, which never exist. A client does so only for basic authentication.
  var asksForCredentials = false
  var expectedLength: Int?
  var contentType: String?
  /// The header fields, ordered alphabetically by name.
  var headers: HTTPHeaders = [:]
  /// All bytes that the client receives.
  var body = Data()
  /// The timing of the received bytes.
  var pieces = BodyPieces(count: 0, rate: nil, size: standardPieceSize)
  /// The time from the last piece to the end of the response.
  var lastWait = Duration.zero
  /// The duration of silence after which the client gives up.
  var timeout = Duration.zero
  /// The code of the final error, or nil for success.
  var error: Int?

  private static let standardPieceSize = 16 * 1024

  /// The result of a request whose connection is refused.
  static let refused = SimulatedAnswer(error: -1004)
  /// The result of a request to a host without an address.
  static let unknownHost = SimulatedAnswer(error: -1003)

  /// - Parameters:
  ///   - response: the response of the origin.
  ///   - body: the complete body of the response.
  ///   - timeout: the duration of silence after which the client gives up.
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
    var fields = response.headers.map { (name: $0.0, value: $0.1) }
    if let contentType, header("content-type") == nil { fields.append(("Content-Type", contentType)) }
    if let expectedLength { fields.append(("Content-Length", "\(expectedLength)")) }
    headers = HTTPHeaders(fields.sorted { $0.name < $1.name })
    if isRedirect { location = header("location") }
    var sent = hasBody ? body : Data()
    switch response.fault {
    case .reset(let count):
      sent = sent.prefix(count)
      error = -1005
    case .truncate(let count):
      sent = sent.prefix(count)
      // Foundation reports only an unknown error if a body stops before its announced length.
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

  /// The head that the client receives, or nil if the network fails before the head arrives.
  func head(from url: URL) -> NetworkResponse? {
    status.map {
      NetworkResponse(url: url, status: $0, expectedLength: expectedLength, contentType: contentType, headers: headers)
    }
  }

  /// The time from the request to the end of the response.
  var duration: Duration { latency + pieces.duration + lastWait }
}

/// The pieces of a body and their times, computed without side effects.
///
/// A paced body arrives at the rate at which ``OriginServer`` sends it, in pieces every few milliseconds. Later pieces
/// are larger, because a run has a limited number of steps.
struct BodyPieces: Sendable {
  /// The interval at which a server sends pending bytes. The server's timers have no finer resolution.
  private static let tick = Duration.milliseconds(5)
  /// The duration of a later piece is the elapsed time divided by this number.
  private static let growth = 16
  /// The maximum number of unpaced pieces. The number is limited because a run has a limited number of steps, and
  /// because TCP also merges small pieces.
  private static let maximumUnpaced = 64

  /// The total number of bytes.
  let count: Int
  /// The number of bytes per second, or nil for no limit.
  let rate: Int?
  private let size: Int

  /// - Parameter size: the minimum number of bytes in an unpaced piece.
  init(count: Int, rate: Int?, size: Int) {
    self.count = count
    self.rate = rate
    self.size = max(size, (count + Self.maximumUnpaced - 1) / Self.maximumUnpaced, 1)
  }

  /// The time from the first byte to the last.
  var duration: Duration { time(of: count) }

  /// The end and duration of the piece that follows the first `received` bytes, or nil at the end of the body.
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
