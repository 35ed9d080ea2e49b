public import Foundation

/// One response: its content, its pace, and its fault.
///
/// The server adds `Content-Length`, `Content-Type` and `Connection` if the headers have none. It sends no `Date`, so
/// equal responses have equal bytes.
public struct OriginResponse: Sendable {
  /// The status code. 204, 304 and statuses below 200 never have a body.
  public var status: Int
  /// Header fields in order, in addition to the server's own. Line breaks in them become spaces.
  public var headers: [(String, String)]
  /// The body. The response to a HEAD request states its length, but does not contain it.
  public var body: OriginBody
  /// The delay between the whole request and the first byte of the response.
  public var latency: Duration
  /// The number of bytes of the body sent per second. Nil means as fast as possible.
  public var bytesPerSecond: Int?
  /// Whether the body is sent in chunks, without `Content-Length`. Ignored for HTTP/1.0.
  public var chunked: Bool
  /// The maximum number of bytes in a chunk.
  public var chunkSize: Int
  /// Whether an unchunked body has a `Content-Length`. Without one, the end of the connection ends the body.
  public var sendsContentLength: Bool
  /// The fault, or nil.
  public var fault: OriginFault?

  /// Makes a response. The default is an empty 200, sent immediately.
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

  /// A plain 404.
  public static let notFound = plain(404)

  /// A plain-text response whose body contains the status and an optional reason.
  package static func plain(_ status: Int, headers: [(String, String)] = [], reason: String? = nil) -> OriginResponse {
    OriginResponse(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers,
      body: .text("\(status) \(reasonPhrase(status))\(reason.map { ": " + $0 } ?? "")\n"))
  }
}

/// The source of a response's body.
public enum OriginBody: Equatable, Sendable {
  /// These bytes.
  case data(Data)
  /// The content of a file, read for every request. If the file cannot be read, the status is 500, or 503 if the
  /// process has no descriptor left for it.
  case file(URL)
  /// The content of the file at this path below a folder, with the statuses of ``file(_:)``. A path or symbolic link
  /// that leads out of the folder names no file.
  case fileInFolder(URL, path: String)
  /// This many bytes of a fixed pattern: the byte at offset `n` is `n % 251`. They are generated while they are sent.
  case bytes(Int)

  /// No bytes at all.
  public static let empty = OriginBody.data(Data())

  /// The text in UTF-8.
  public static func text(_ text: String) -> OriginBody { .data(Data(text.utf8)) }

  /// The bytes that `.bytes(count)` sends.
  public static func pattern(_ count: Int) -> Data {
    let period = Data(0..<UInt8(period))
    var bytes = Data(capacity: max(0, count))
    while bytes.count < count { bytes += period.prefix(count - bytes.count) }
    return bytes
  }

  /// The length of the pattern.
  static let period = 251
}

/// A fault of a response on the wire. Byte counts refer to the body, before chunking.
public enum OriginFault: Equatable, Sendable {
  /// The connection closes cleanly after the latency, before any byte of the response.
  case closeBeforeHeaders
  /// The connection is reset after the headers and this many bytes of the body.
  case reset(after: Int)
  /// The connection closes cleanly after the headers, which announce the whole body, and this many bytes of it.
  case truncate(after: Int)
  /// Nothing follows the headers and this many bytes of the body. The connection stays open.
  case stall(after: Int)
  /// The headers are sent immediately, then one byte of the body per interval.
  case drip(every: Duration)
  /// The status line is not HTTP; the connection closes after it.
  case garbage
  /// Half of the body is sent as valid chunks. An invalid chunk size follows, and the connection closes.
  case malformedChunk
  /// A valid response with a header field of ``longHeaderLength`` bytes.
  case longHeader
  /// The end of the connection ends the body. It comes ``slowCloseDelay`` after the last byte.
  case slowClose

  /// The length of the ``longHeader`` field's value in bytes: more than common clients accept.
  public static let longHeaderLength = 256 * 1024
  /// The time for which ``slowClose`` keeps the connection open.
  public static let slowCloseDelay = Duration.seconds(1)
}
