/// How a message's body is framed and whether its connection persists, according to the header fields of a request or
/// response.
package struct FramingFields {
  /// The reason why the length of a body is unknown.
  package enum Fault: Error {
    case noNumber, tooLarge, contradiction
  }

  package private(set) var contentLength: Int?
  /// The transfer codings, in lowercase.
  package private(set) var transferCoding: String?
  package private(set) var closes = false
  package private(set) var keepsAlive = false

  package init() {}

  /// Processes a header field. Fields without framing information have no effect.
  ///
  /// - Parameters:
  ///   - name: the name in lowercase.
  ///   - value: the value in lowercase, without surrounding whitespace.
  package mutating func add(_ name: String, _ value: String) throws(Fault) {
    switch name {
    case "content-length":
      guard !value.isEmpty, value.utf8.allSatisfy(isDigit) else { throw .noNumber }
      guard let length = Int(value) else { throw .tooLarge }
      guard contentLength == nil || contentLength == length else { throw .contradiction }
      contentLength = length
    case "transfer-encoding": transferCoding = transferCoding.map { "\($0), \(value)" } ?? value
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

  /// Returns whether the connection stays open after an HTTP/1.x message.
  package func staysOpen(minorVersion: Int) -> Bool { !closes && (minorVersion > 0 || keepsAlive) }
}

/// The framing of a chunked body (https://www.rfc-editor.org/rfc/rfc9112#section-7.1).
package enum ChunkedCoding {
  /// The separator between two chunks, and between a chunk's size and its data.
  package static let lineEnd = Array("\r\n".utf8)
  /// The bytes after the last chunk.
  package static let end = Array("0\r\n\r\n".utf8)

  /// Returns the bytes that precede a chunk of this size.
  package static func head(_ count: Int) -> [UInt8] { Array(String(count, radix: 16).utf8) + lineEnd }

  /// Parses a chunk's size line. Returns nil if the size is missing or too large.
  package static func size(_ line: Slice<UnsafeRawBufferPointer>) -> Int? {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    guard !digits.isEmpty, digits.allSatisfy({ hexValue($0) != nil }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
