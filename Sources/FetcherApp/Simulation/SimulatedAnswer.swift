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
  /// The body, each piece with the time since what came before it.
  var pieces: [(wait: Duration, bytes: Data)] = []
  /// From the last piece to the end.
  var lastWait = Duration.zero
  /// The code of the error at the end; nil for success.
  var error: Int?

  private static let pieceSize = 16 * 1024

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
    let size = response.chunked ? response.chunkSize : Self.pieceSize
    for start in stride(from: 0, to: sent.count, by: size) {
      let piece = sent.dropFirst(start).prefix(size)
      let wait = response.bytesPerSecond.map { Duration.seconds(Double(piece.count) / Double($0)) } ?? .zero
      pieces.append((wait, Data(piece)))
    }
  }

  private init(error: Int) { self.error = error }

  /// All bytes that arrive.
  var body: Data { pieces.reduce(into: Data()) { $0 += $1.bytes } }

  /// From the request to the end.
  var duration: Duration { pieces.reduce(latency + lastWait) { $0 + $1.wait } }
}
