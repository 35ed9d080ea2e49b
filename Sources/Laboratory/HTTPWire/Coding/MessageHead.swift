/// The status line and the header fields of a response.
package struct ResponseHead: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  package var status: Int
  package var fields: [Field] = []
  /// The declared length of the body, or nil.
  package var contentLength: Int?

  /// Returns the value of the first field with this lowercase name.
  package func value(of name: String) -> String? {
    // A head can have ten thousand fields, so copy only names of the right length.
    fields.first {
      $0.name.utf8.count == name.utf8.count && asciiLowercased($0.name.utf8).elementsEqual(name.utf8)
    }?.value
  }
}

/// Encodes a head: the first line, the fields and the final empty line.
package struct HeadWriter {
  package private(set) var bytes: [UInt8] = []

  package init(_ firstLine: String) {
    bytes.reserveCapacity(256)
    append(firstLine)
    append("\r\n")
  }

  package mutating func field(_ name: String, _ value: String) {
    appendClean(name)
    append(": ")
    appendClean(value)
    append("\r\n")
  }

  package mutating func end() { append("\r\n") }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends text with its line breaks replaced by spaces. A line break would let a field's value add further fields.
  private mutating func appendClean(_ text: String) {
    bytes.append(contentsOf: text.utf8.lazy.map { $0 == 0x0D || $0 == 0x0A ? 0x20 : $0 })
  }
}

/// One parsed header field. Do not use it after the bytes of its line are released.
package struct HeaderLine {
  package let name: Slice<UnsafeRawBufferPointer>
  /// The value, without surrounding whitespace.
  package let value: Slice<UnsafeRawBufferPointer>

  /// Parses a line without its line end. Returns nil if the line is not a header field.
  package init?(_ line: Slice<UnsafeRawBufferPointer>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isToken)
    else { return nil }
    let value = line[(colon + 1)...]
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else { return nil }
    name = line[..<colon]
    self.value = Self.trimmed(value)
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return bytes[bytes.endIndex...] }
    return bytes[first...last]
  }
}

/// The reason why a line of a head is invalid.
package enum LineFault: Error {
  case tooLong
  /// A line feed without a carriage return.
  case bareLineFeed
}

/// Removes the next line from the bytes and returns it without its line end. Returns nil if the line is incomplete.
///
/// - Parameter limit: the maximum number of bytes in the line.
package func nextLine(
  _ rest: inout Slice<UnsafeRawBufferPointer>, limit: Int
) throws(LineFault) -> Slice<UnsafeRawBufferPointer>? {
  guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
    guard rest.count <= limit else { throw .tooLong }
    return nil
  }
  guard end - rest.startIndex <= limit else { throw .tooLong }
  guard end > rest.startIndex, rest[end - 1] == UInt8(ascii: "\r") else { throw .bareLineFeed }
  let line = rest[rest.startIndex..<end - 1]
  rest = rest[(end + 1)...]
  return line
}

/// Returns the bytes with only A to Z converted to lowercase, because some non-ASCII letters would otherwise become
/// ASCII letters.
@inlinable
package func asciiLowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

@inlinable
package func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
@inlinable
package func isToken(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
    UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
    UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
    true
  default: false
  }
}

/// Returns the value of a hexadecimal digit.
package func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
