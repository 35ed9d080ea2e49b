/// One way in which a response goes wrong on the wire. Byte counts are of the body, before chunking.
public enum OriginFault: Equatable, Sendable {
  /// The connection closes cleanly, after the latency, without a byte of the response.
  case closeBeforeHeaders
  /// The connection is reset after the headers and this many bytes of the body.
  case reset(after: Int)
  /// The connection closes cleanly after the headers, which promise the whole body, and this many bytes of it.
  case truncate(after: Int)
  /// Nothing more comes after the headers and this many bytes of the body; the connection stays open.
  case stall(after: Int)
  /// The headers come at once, then one byte of the body per interval.
  case drip(every: Duration)
  /// The status line is not HTTP; the connection closes after it.
  case garbage
  /// Half of the body comes as proper chunks, then a chunk size that is not a number; the connection closes.
  case malformedChunk
  /// A proper response with a header field of ``longHeaderLength`` bytes.
  case longHeader
  /// The body's end is the end of the connection, which comes only ``slowCloseDelay`` after the last byte.
  case slowClose

  /// How long the value of the field of ``longHeader`` is, in bytes: more than common clients accept.
  public static let longHeaderLength = 256 * 1024
  /// How long ``slowClose`` keeps the connection open.
  public static let slowCloseDelay = Duration.seconds(1)
}
