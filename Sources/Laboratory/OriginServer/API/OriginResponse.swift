/// One response as the server sends it: what, how slowly, and with which fault.
///
/// The server adds `Content-Length`, `Content-Type` and `Connection` where the headers have none. There is no `Date`, so
/// equal responses are equal byte for byte.
public struct OriginResponse: Sendable {
  /// The status code. 204, 304 and below 200 never have a body.
  public var status: Int
  /// Header fields in order, in addition to the server's own. Line breaks in them become spaces.
  public var headers: [(String, String)]
  /// The body; its length is known and not sent for a HEAD request.
  public var body: OriginBody
  /// How long the server waits between the whole request and the first byte.
  public var latency: Duration
  /// How many bytes of the body are sent per second; as fast as possible without.
  public var bytesPerSecond: Int?
  /// Whether the body is sent in chunks, without `Content-Length`. Ignored for HTTP/1.0.
  public var chunked: Bool
  /// How many bytes a chunk has at most.
  public var chunkSize: Int
  /// Whether an unchunked body comes with its length; without it, the end of the connection ends the body.
  public var sendsContentLength: Bool
  /// What goes wrong, if anything.
  public var fault: OriginFault?

  /// A response; by default an empty 200 that is sent at once.
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

  /// A response that says its status in its body, and more if there is more to say.
  package static func plain(_ status: Int, headers: [(String, String)] = [], reason: String? = nil) -> OriginResponse {
    OriginResponse(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers,
      body: .text("\(status) \(reasonPhrase(status))\(reason.map { ": " + $0 } ?? "")\n"))
  }
}
