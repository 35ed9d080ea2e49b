public import Foundation

/// One response, with its content, its pace, and an optional fault.
///
/// The server adds `Content-Length`, `Content-Type` and `Connection` if the headers do not contain them. The server
/// sends no `Date`, so equal responses have equal bytes.
public struct OriginResponse: Sendable {
  /// The status code. Responses with status 204, 304 or a status below 200 never have a body.
  public var status: Int
  /// The header fields in order, in addition to the server's own fields. Line breaks in the fields are replaced with
  /// spaces.
  public var headers: [(String, String)]
  /// The body. The response to a HEAD request states the body's length but does not contain the body.
  public var body: OriginBody
  /// The delay between the end of the request and the first byte of the response.
  public var latency: Duration
  /// The number of body bytes to send per second, or nil to send them as fast as possible.
  public var bytesPerSecond: Int?
  /// Whether the body is sent in chunks, without `Content-Length`. Ignored for HTTP/1.0.
  public var chunked: Bool
  /// The maximum number of bytes in a chunk.
  public var chunkSize: Int
  /// Whether an unchunked body has a `Content-Length`. Without a `Content-Length`, the body ends when the connection
  /// closes.
  public var sendsContentLength: Bool
  /// The fault to simulate, or nil.
  public var fault: OriginFault?

  /// Creates a response. The default is an empty response with status 200 that is sent immediately.
  public init(
    status: Int = 200, headers: [(String, String)] = [], body: OriginBody = .empty, latency: Duration = .zero,
    bytesPerSecond: Int? = nil, chunked: Bool = false, chunkSize: Int = 16 * 1024, sendsContentLength: Bool = true,
    fault: OriginFault? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.latency = latency
    self.bytesPerSecond = bytesPerSecond
    self.chunked = chunked
    self.chunkSize = chunkSize
    self.sendsContentLength = sendsContentLength
    self.fault = fault
  }

  /// A plain-text response with status 404.
  public static let notFound = plain(404)

  /// Returns a plain-text response whose body contains the status and an optional reason.
  package static func plain(_ status: Int, headers: [(String, String)] = [], reason: String? = nil) -> OriginResponse {
    OriginResponse(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers,
      body: .text("\(status) \(reasonPhrase(status))\(reason.map { ": " + $0 } ?? "")\n"))
  }
}

/// The source of a response's body.
public enum OriginBody: Equatable, Sendable {
  /// The given bytes.
  case data(Data)
  /// The content of a file, which is read for every request. If the file cannot be read, the status is 500. If the
  /// process has no descriptor left for the file, the status is 503.
  case file(URL)
  /// The content of the file at this path inside a folder. If the file cannot be read, the status is the same as for
  /// ``file(_:)``. A path or symbolic link that leads out of the folder is treated as a missing file.
  case fileInFolder(URL, path: String)
  /// The given number of bytes of a fixed pattern: the byte at offset `n` is `n % 251`. The bytes are generated while
  /// they are being sent.
  case bytes(Int)

  /// An empty body.
  public static let empty = OriginBody.data(Data())

  /// Returns a body that contains the text in UTF-8.
  public static func text(_ text: String) -> OriginBody { .data(Data(text.utf8)) }

  /// Returns the bytes that `.bytes(count)` sends.
  public static func pattern(_ count: Int) -> Data {
    let period = Data(0..<UInt8(period))
    var bytes = Data(capacity: max(0, count))
    while bytes.count < count { bytes += period.prefix(count - bytes.count) }
    return bytes
  }

  /// The number of bytes after which the pattern repeats.
  static let period = 251
}

/// A fault that the server simulates while it sends a response. Byte counts refer to the body before chunking.
public enum OriginFault: Equatable, Sendable {
  /// The connection closes cleanly after the latency, before any byte of the response.
  case closeBeforeHeaders
  /// The connection is reset after the headers and this many bytes of the body.
  case reset(after: Int)
  /// The headers announce the whole body, but the connection closes cleanly after this many bytes of the body.
  case truncate(after: Int)
  /// The server sends the headers and this many bytes of the body, and then nothing more. The connection stays open.
  case stall(after: Int)
  /// The headers are sent immediately, then one byte of the body per interval.
  case drip(every: Duration)
  /// The status line is not valid HTTP, and the connection closes after the status line.
  case garbage
  /// Half of the body is sent as valid chunks. Then an invalid chunk size follows, and the connection closes.
  case malformedChunk
  /// The response is valid and contains a header field whose value has ``longHeaderLength`` bytes.
  case longHeader
  /// The body ends when the connection closes, which happens ``slowCloseDelay`` after the last byte.
  case slowClose

  /// The length of the ``longHeader`` field's value in bytes, which is more than common clients accept.
  public static let longHeaderLength = 256 * 1024
  /// The time for which ``slowClose`` keeps the connection open.
  public static let slowCloseDelay = Duration.seconds(1)
}
