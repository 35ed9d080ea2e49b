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
