import Foundation
import HTTPWire

/// The decisions about one response that are made before its first byte is sent.
struct ResponsePlan {
  /// The server's action after the last byte.
  enum Ending: Equatable {
    case keepAlive, close, reset, stall
    case closeLater(Duration)
  }

  var latency: Duration = .zero
  var head: [UInt8] = []
  var body = BodyReader.pattern(0)
  /// The number of body bytes to send.
  var limit = 0
  /// The number of bytes in a chunk, or nil if the body is not chunked.
  var chunkSize: Int?
  /// The total number of body bytes in the chunks.
  var framedCount = 0
  /// The bytes to send after the body.
  var tail: [UInt8] = []
  var ending = Ending.keepAlive
  var bytesPerSecond: Int?
  var dripInterval: Duration?
  /// The body to send after the head, or nil if ``body`` is the whole body.
  var stream: (any ResponseStream)?
  /// Whether the head announces that the connection will close. The head does not announce a fault.
  private var announcesClose = false

  /// - Parameters:
  ///   - response: The response to send. The response's own body is used only if `body` is nil.
  ///   - body: A body that has already been opened, or nil.
  ///   - request: The request to respond to.
  init(_ response: OriginResponse, body opened: BodyReader? = nil, for request: RequestHead) {
    latency = response.latency
    if response.fault == .closeBeforeHeaders {
      ending = .close
      return
    }
    if response.fault == .garbage {
      head = Array("HTTQ/banana not a status line\r\n\r\n".utf8)
      ending = .close
      return
    }
    let body: BodyReader
    do {
      guard let readable = try opened ?? BodyReader(response.body) else {
        self = ResponsePlan(.plain(500), for: request)
        return
      }
      body = readable
    } catch {
      self = ResponsePlan(.plain(503), for: request)
      return
    }

    let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
    let sendsBody = hasBody && request.method != .head
    self.body = body
    limit = sendsBody ? body.count : 0
    bytesPerSecond = response.bytesPerSecond
    ending = request.keepsAlive ? .keepAlive : .close
    let declared = frame(response, hasBody: hasBody, sendsBody: sendsBody, request)
    framedCount = body.count
    announcesClose = ending == .close || response.fault == .slowClose
    apply(response.fault)
    head = makeHead(response, declaredLength: declared, for: request)
  }

  /// Chooses how to mark the end of the body, and returns the length to declare.
  private mutating func frame(
    _ response: OriginResponse, hasBody: Bool, sendsBody: Bool, _ request: RequestHead
  ) -> Int? {
    guard hasBody else { return nil }
    if response.chunked || response.fault == .malformedChunk, request.understandsChunks {
      chunkSize = max(1, response.chunkSize)
      if sendsBody { tail = ChunkedCoding.end }
      return nil
    }
    if let own = response.headers.first(where: { $0.0.lowercased() == "content-length" }) {
      // If the length were wrong, the client and the server would disagree about where the next response starts.
      if Int(own.1) != body.count { ending = .close }
      return nil
    }
    if response.sendsContentLength, !response.chunked, response.fault != .slowClose { return body.count }
    if sendsBody { ending = .close }
    return nil
  }

  private mutating func apply(_ fault: OriginFault?) {
    switch fault {
    case .reset(let count): cut(after: count, .reset)
    case .truncate(let count): cut(after: count, .close)
    case .stall(let count): cut(after: count, .stall)
    case .malformedChunk:
      cut(after: body.count / 2, .close)
      // The last chunk must be complete, so that only the size that follows it is invalid.
      framedCount = limit
      tail = Array("not-a-size\r\n".utf8)
    case .drip(let interval): dripInterval = interval
    case .slowClose: ending = .closeLater(OriginFault.slowCloseDelay)
    case .closeBeforeHeaders, .garbage, .longHeader, nil: break
    }
  }

  private mutating func cut(after count: Int, _ ending: Ending) {
    limit = min(limit, max(0, count))
    tail = []
    self.ending = ending
  }

  private func makeHead(_ response: OriginResponse, declaredLength: Int?, for request: RequestHead) -> [UInt8] {
    var head = HeadWriter(status: response.status)
    var hasType = false
    var hasConnection = false
    for (name, value) in response.headers {
      switch name.lowercased() {
      case "content-type": hasType = true
      case "connection": hasConnection = true
      default: break
      }
      head.field(name, value)
    }
    if body.count > 0, !hasType { head.field("Content-Type", contentType(of: response.body)) }
    if chunkSize != nil { head.field("Transfer-Encoding", "chunked") }
    if let declaredLength { head.field("Content-Length", String(declaredLength)) }
    if case .longHeader = response.fault {
      head.field("X-Long", String(repeating: "a", count: OriginFault.longHeaderLength))
    }
    if !hasConnection, announcesClose {
      head.field("Connection", "close")
    } else if !hasConnection, request.keepsAlive, !request.understandsChunks {
      // Without `Connection: keep-alive`, an HTTP/1.0 client assumes that the connection will close.
      head.field("Connection", "keep-alive")
    }
    head.end()
    return head.bytes
  }

  private func contentType(of content: OriginBody) -> String {
    switch content {
    case .file(let url): mediaType(ofPath: url.path)
    case .fileInFolder(_, let path): mediaType(ofPath: path)
    case .data, .bytes: "application/octet-stream"
    }
  }
}
