import FetcherModel
import Foundation
import OriginServer
import ScenarioFormat

/// The answer to one request, piece by piece, as Foundation would report it.
struct SimulatedAnswer: Sendable {
  /// From the request to the head, or to the error where there is no head.
  var latency = Duration.zero
  /// Nil where the network fails before it.
  var status: Int?
  /// Where a redirect leads, as the server writes it.
  var location: String?
  /// Whether Foundation keeps the head back until the page has ended, as it may have to go elsewhere.
  var isRedirect: Bool { status.map(Scenario.Response.redirects.contains) ?? false }
  /// Whether the client asks for credentials, which nobody has. It only knows how to ask for a plain password.
  var asksForCredentials = false
  var expectedLength: Int?
  var contentType: String?
  /// The header fields, by name, in alphabetical order.
  var headers: [(name: String, value: String)] = []
  /// All bytes that arrive.
  var body = Data()
  /// How they arrive.
  var pieces = BodyPieces(count: 0, rate: nil, size: standardPieceSize)
  /// From the last piece to the end.
  var lastWait = Duration.zero
  /// After how much silence the client gives up.
  var timeout = Duration.zero
  /// The code of the error at the end; nil for success.
  var error: Int?

  private static let standardPieceSize = 16 * 1024

  /// A connection that is refused.
  static let refused = SimulatedAnswer(error: -1004)
  /// A host without an address.
  static let unknownHost = SimulatedAnswer(error: -1003)

  /// - Parameters:
  ///   - response: what the origin sends.
  ///   - body: its body, whole.
  ///   - timeout: after how much silence the client gives up.
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
      // Foundation says no more than "unknown" when a body stops before its announced length.
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

  /// What a client learns before the body; nil where the network fails before it.
  func head(from url: URL) -> NetworkResponse? {
    status.map {
      NetworkResponse(url: url, status: $0, expectedLength: expectedLength, contentType: contentType, headers: headers)
    }
  }

  /// From the request to the end.
  var duration: Duration { latency + pieces.duration + lastWait }
}

/// How a body arrives: in which pieces, and when. Pure.
///
/// A paced body comes as ``OriginServer`` sends it, every few milliseconds, and later in larger pieces: a run has only
/// so many steps.
struct BodyPieces: Sendable {
  /// How often a server sends what is due, as its timers are no finer.
  private static let tick = Duration.milliseconds(5)
  /// A later piece takes this part of the time since the beginning.
  private static let growth = 16
  /// A run has only so many steps, and TCP joins small pieces as well.
  private static let mostUnpaced = 64

  /// How many bytes there are in all.
  let count: Int
  /// Bytes per second; nil for as fast as possible.
  let rate: Int?
  private let size: Int

  /// - Parameter size: how many bytes an unpaced piece has at least.
  init(count: Int, rate: Int?, size: Int) {
    self.count = count
    self.rate = rate
    self.size = max(size, (count + Self.mostUnpaced - 1) / Self.mostUnpaced, 1)
  }

  /// From the first byte to the last.
  var duration: Duration { time(of: count) }

  /// The piece after the first `received` bytes: where it ends, and how long it takes. Nil where nothing is left.
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
