import FetcherModel
import Foundation
import OriginServer

/// What becomes of one request, piece by piece, as Foundation would tell it.
struct SimulatedAnswer: Sendable {
  /// From the request to the head, or to the error where there is no head.
  var latency = Duration.zero
  /// Nil where the network fails before it.
  var status: Int?
  var expectedLength: Int?
  var contentType: String?
  /// All bytes that arrive.
  var body = Data()
  /// How many of them arrive together.
  var pieceSize = standardPieceSize
  /// Bytes of the body per second; nil for as fast as possible.
  var bytesPerSecond: Int?
  /// From the last piece to the end.
  var lastWait = Duration.zero
  /// The code of the error at the end; nil for success.
  var error: Int?

  private static let standardPieceSize = 16 * 1024
  /// A run has only so many steps, and TCP joins small pieces as well.
  private static let mostPieces = 64

  /// A connection that is refused.
  static let refused = SimulatedAnswer(error: -1004)

  /// - Parameters:
  ///   - response: what the origin sends.
  ///   - body: its body, whole.
  ///   - timeout: after how much silence the client gives up.
  init(_ response: OriginResponse, body: Data, timeout: Duration) {
    latency = response.latency
    switch response.fault {
    case .closeBeforeHeaders, .garbage:
      // What Foundation on Linux says of an answer that it cannot read.
      error = -1011
      return
    default: break
    }
    status = response.status
    let hasBody = response.status != 204 && response.status != 304
    let isFramed = response.chunked || response.fault == .malformedChunk || response.fault == .slowClose
    expectedLength = isFramed ? nil : hasBody ? body.count : 0
    contentType = response.headers.first { $0.0.lowercased() == "content-type" }?.1
    var sent = hasBody ? body : Data()
    switch response.fault {
    case .reset(let count), .truncate(let count):
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
    self.body = Data(sent)
    bytesPerSecond = response.bytesPerSecond
    let size = response.chunked ? response.chunkSize : Self.standardPieceSize
    pieceSize = max(size, (sent.count + Self.mostPieces - 1) / Self.mostPieces, 1)
  }

  private init(error: Int) { self.error = error }

  /// In how many pieces the body arrives.
  var pieceCount: Int { (body.count + pieceSize - 1) / pieceSize }

  /// One piece of the body, and the time since what came before it.
  func piece(_ number: Int) -> (wait: Duration, bytes: Data) {
    let bytes = body.dropFirst(number * pieceSize).prefix(pieceSize)
    return (time(for: bytes.count), Data(bytes))
  }

  /// From the request to the end.
  var duration: Duration { latency + time(for: body.count) + lastWait }

  private func time(for count: Int) -> Duration {
    bytesPerSecond.map { .seconds(Double(count) / Double($0)) } ?? .zero
  }
}
