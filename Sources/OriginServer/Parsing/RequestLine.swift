/// The first line of a request, taken apart and checked.
struct RequestLine {
  let method: RequestHead.Method
  let target: String
  let path: String
  let minorVersion: Int

  init(_ line: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isToken) else { throw Refusal(status: 400) }
    method = Self.method(String(decoding: parts[0], as: UTF8.self))
    minorVersion = try Self.minorVersion(String(decoding: parts[2], as: UTF8.self))
    target = try Self.target(parts[1])
    guard let path = percentDecoded(String(target.prefix { $0 != "?" })) else { throw Refusal(status: 400) }
    self.path = path
  }

  private static func method(_ name: String) -> RequestHead.Method {
    switch name {
    case "GET": .get
    case "HEAD": .head
    case "POST": .post
    default: .other
    }
  }

  private static func minorVersion(_ text: String) throws(Refusal) -> Int {
    if text == "HTTP/1.1" { return 1 }
    if text == "HTTP/1.0" { return 0 }
    let digits = text.dropFirst(5)
    guard text.hasPrefix("HTTP/"), digits.utf8.count == 3, digits.dropFirst().first == ".",
      let major = digits.first?.wholeNumberValue, let minor = digits.last?.wholeNumberValue
    else { throw Refusal(status: 400) }
    guard major == 1 else { throw Refusal(status: 505) }
    return minor
  }

  /// The path and query; from a proxy's form, without scheme and host.
  private static func target(_ bytes: Slice<UnsafeRawBufferPointer>) throws(Refusal) -> String {
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw Refusal(status: 400) }
    if text.utf8.first == UInt8(ascii: "/") || text == "*" { return text }
    guard text.lowercased().hasPrefix("http://") else { throw Refusal(status: 400) }
    let rest = text.dropFirst(7).drop { $0 != "/" && $0 != "?" }
    return rest.first == "/" ? String(rest) : "/" + rest
  }
}
