/// The frame of a chunked body (https://www.rfc-editor.org/rfc/rfc9112#section-7.1).
package enum ChunkedCoding {
  /// What stands between two chunks, and between a chunk and its size.
  package static let lineEnd = Array("\r\n".utf8)
  /// What follows the last chunk.
  package static let end = Array("0\r\n\r\n".utf8)

  /// What stands before a chunk of so many bytes.
  package static func head(_ count: Int) -> [UInt8] { Array(String(count, radix: 16).utf8) + lineEnd }

  /// The size that stands on the line before a chunk; nil where there is none, or none that fits.
  package static func size(_ line: Slice<UnsafeRawBufferPointer>) -> Int? {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    guard !digits.isEmpty, digits.allSatisfy({ hexValue($0) != nil }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
