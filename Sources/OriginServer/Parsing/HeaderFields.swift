/// Gathers from header fields what the server acts on.
struct HeaderFields {
  private var count = 0
  private var host: String?
  private var contentLength: Int?
  private var hasTransferEncoding = false
  private var expectsContinue = false
  private var closes = false
  private var keepsAlive = false

  mutating func add(_ line: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
    count += 1
    guard count <= RequestLimits.fields else { throw Refusal(status: 431) }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isToken)
    else { throw Refusal(status: 400) }
    let value = line[(colon + 1)...]
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else { throw Refusal(status: 400) }
    // Most fields mean nothing here: the length of the name spares making strings of them.
    switch colon - line.startIndex {
    case 4, 6, 10, 14, 17: try interpret(lowercased(line[..<colon]), lowercased(trimmed(value)))
    default: break
    }
  }

  private mutating func interpret(_ name: String, _ value: String) throws(Refusal) {
    switch name {
    case "host":
      guard host == nil else { throw Refusal(status: 400) }
      host = value
    case "content-length":
      guard !value.isEmpty, value.utf8.allSatisfy(isDigit) else { throw Refusal(status: 400) }
      guard let length = Int(value) else { throw Refusal(status: 413) }
      guard contentLength == nil || contentLength == length else { throw Refusal(status: 400) }
      contentLength = length
    case "transfer-encoding": hasTransferEncoding = true
    case "expect":
      guard value == "100-continue" else { throw Refusal(status: 417) }
      expectsContinue = true
    case "connection":
      for option in value.utf8.split(whereSeparator: {
        $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
      }) {
        if option.elementsEqual("close".utf8) { closes = true }
        if option.elementsEqual("keep-alive".utf8) { keepsAlive = true }
      }
    default: break
    }
  }

  /// The whole head, once all fields are in.
  func head(for line: RequestLine) throws(Refusal) -> RequestHead {
    guard host != nil || line.minorVersion == 0 else { throw Refusal(status: 400) }
    if hasTransferEncoding { throw Refusal(status: contentLength == nil ? 411 : 400) }
    let length = contentLength ?? 0
    guard length <= RequestLimits.bodyBytes else { throw Refusal(status: 413) }
    return RequestHead(
      method: line.method, target: line.target, path: line.path, host: line.host ?? host,
      understandsChunks: line.minorVersion > 0,
      keepsAlive: !closes && (line.minorVersion > 0 || keepsAlive), contentLength: length,
      expectsContinue: expectsContinue && line.minorVersion > 0 && length > 0)
  }

  private func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return bytes[bytes.endIndex...] }
    return bytes[first...last]
  }

  private func lowercased(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: asciiLowercased(bytes), as: UTF8.self)
  }
}
