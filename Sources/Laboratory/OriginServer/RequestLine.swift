import HTTPWire

/// The first line of a request, parsed and validated.
struct RequestLine {
  let method: RequestMethod
  let target: String
  let path: OriginPath
  /// The host, if the target is a full address, as in a request to a proxy.
  let host: String?
  let minorVersion: Int

  init(_ line: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isToken) else { throw Refusal(status: 400) }
    method = Self.method(String(decoding: parts[0], as: UTF8.self))
    minorVersion = try Self.minorVersion(parts[2])
    (host, target) = try Self.target(parts[1])
    guard let path = percentDecoded(target.utf8.prefix { $0 != UInt8(ascii: "?") }) else { throw Refusal(status: 400) }
    self.path = OriginPath(path)
  }

  private static func method(_ name: String) -> RequestMethod {
    switch name {
    case "GET": .get
    case "HEAD": .head
    case "POST": .post
    default: .other
    }
  }

  private static func minorVersion(_ bytes: Slice<UnsafeRawBufferPointer>) throws(Refusal) -> Int {
    let digits = bytes.dropFirst(5)
    guard bytes.starts(with: "HTTP/".utf8), digits.count == 3, let major = digits.first, let minor = digits.last,
      isDigit(major), digits.dropFirst().first == UInt8(ascii: "."), isDigit(minor)
    else { throw Refusal(status: 400) }
    guard major == UInt8(ascii: "1") else { throw Refusal(status: 505) }
    return Int(minor - UInt8(ascii: "0"))
  }

  /// Returns the path and query, and the host if the target is a full address.
  private static func target(_ bytes: Slice<UnsafeRawBufferPointer>) throws(Refusal) -> (host: String?, String) {
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw Refusal(status: 400) }
    if bytes.first == UInt8(ascii: "/") || bytes.elementsEqual("*".utf8) { return (nil, text) }
    let scheme = "http://".utf8
    guard asciiLowercased(bytes.prefix(scheme.count)).elementsEqual(scheme) else { throw Refusal(status: 400) }
    let whole = text.utf8.dropFirst(scheme.count)
    let host = whole.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let rest = String(Substring(whole[host.endIndex...]))
    return (String(Substring(host)), whole[host.endIndex...].first == UInt8(ascii: "/") ? rest : "/" + rest)
  }
}

/// Returns the decoded text of a percent-encoded path. Returns nil if the encoding is invalid, or if the result is not
/// valid UTF-8 or contains a null byte.
func percentDecoded(_ text: Substring.UTF8View) -> String? {
  guard text.contains(UInt8(ascii: "%")) else { return String(Substring(text)) }
  var bytes: [UInt8] = []
  var rest = text
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else { return nil }
    bytes.append(high << 4 | low)
  }
  guard !bytes.contains(0) else { return nil }
  return String(validating: bytes, as: UTF8.self)
}
