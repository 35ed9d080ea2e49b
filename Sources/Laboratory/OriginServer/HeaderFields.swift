import HTTPWire

/// The header fields that affect the server.
struct HeaderFields {
  private var count = 0
  private var host: String?
  private var framing = FramingFields()
  private var expectsContinue = false

  mutating func add(_ line: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
    count += 1
    guard count <= RequestLimits.fields else { throw Refusal(status: 431) }
    guard let field = HeaderLine(line) else { throw Refusal(status: 400) }
    // Most fields are irrelevant. Comparing the length of the name first avoids creating strings.
    switch field.name.count {
    case 4, 6, 10, 14, 17: try interpret(lowercased(field.name), lowercased(field.value))
    default: break
    }
  }

  private mutating func interpret(_ name: String, _ value: String) throws(Refusal) {
    switch name {
    case "host":
      guard host == nil else { throw Refusal(status: 400) }
      host = value
    case "expect":
      guard value == "100-continue" else { throw Refusal(status: 417) }
      expectsContinue = true
    default:
      do throws(FramingFields.Fault) {
        try framing.add(name, value)
      } catch {
        throw Refusal(status: error == .tooLarge ? 413 : 400)
      }
    }
  }

  /// Returns the complete head after the last field.
  func head(for line: RequestLine) throws(Refusal) -> RequestHead {
    guard host != nil || line.minorVersion == 0 else { throw Refusal(status: 400) }
    if framing.transferCoding != nil { throw Refusal(status: framing.contentLength == nil ? 411 : 400) }
    let length = framing.contentLength ?? 0
    guard length <= RequestLimits.bodyBytes else { throw Refusal(status: 413) }
    return RequestHead(
      method: line.method, target: line.target, path: line.path, host: line.host ?? host,
      understandsChunks: line.minorVersion > 0, keepsAlive: framing.staysOpen(minorVersion: line.minorVersion),
      contentLength: length, expectsContinue: expectsContinue && line.minorVersion > 0 && length > 0)
  }

  private func lowercased(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: asciiLowercased(bytes), as: UTF8.self)
  }
}
