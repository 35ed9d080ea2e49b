/// A text file as its bytes, with the places of its lines.
package struct SourceText: Sendable {
  /// The largest file that is read, in bytes.
  package static let largest = 1 << 20

  /// A place in a text, both parts counted from one. Columns count characters, not bytes.
  package struct Position: Sendable, Equatable {
    package let line: Int
    package let column: Int
  }

  /// How the file is called in messages.
  package let path: String
  package let bytes: [UInt8]
  private let lineStarts: [Int]

  /// - Parameters:
  ///   - path: how the file is called in messages.
  ///   - bytes: its content, in whatever encoding.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// The place of the byte at `offset`, which may be the end of the text.
  package func position(of offset: Int) -> Position {
    let index = lineIndex(of: offset)
    return Position(line: index + 1, column: text(lineStarts[index]..<offset).count + 1)
  }

  /// The line with the byte at `offset`, without its line break.
  package func line(at offset: Int) -> Range<Int> {
    let index = lineIndex(of: offset)
    var end = index + 1 < lineStarts.count ? lineStarts[index + 1] - 1 : bytes.count
    if end > lineStarts[index], bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return lineStarts[index]..<max(end, min(offset, bytes.count))
  }

  /// The characters of a range. Bytes that are no UTF-8 become replacement characters.
  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Where the first byte stands that is no part of UTF-8.
  var firstInvalidByte: Int? {
    let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
    if repaired == bytes { return nil }
    return zip(repaired, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? bytes.count - 1
  }

  private func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
