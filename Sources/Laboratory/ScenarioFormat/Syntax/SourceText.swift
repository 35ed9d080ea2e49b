import PlainText

/// The bytes of a text file, together with the positions of its lines.
package struct SourceText: Sendable {
  /// The maximum size of a scenario file, in bytes.
  package static let largest = 1 << 20

  /// A line and column, both counted from one. Columns count characters, not bytes.
  package struct Position: Sendable, Equatable {
    package let line: Int
    package let column: Int
  }

  /// A position with a known column, between two characters that cannot combine.
  private struct Milestone {
    let offset: Int
    let column: Int
  }

  /// The file name to show in messages.
  package let path: String
  package let bytes: [UInt8]
  private let lineStarts: [Int]
  /// The milestones, in text order. Without them, finding each position in a long line would require counting from the
  /// line's start.
  private var milestones: [Milestone] = []

  /// - Parameters:
  ///   - path: the file name to show in messages.
  ///   - bytes: the content of the file, in any encoding.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    lineStarts = [0] + bytes.indices.filter { Self.endsLine(bytes, at: $0) }.map { $0 + 1 }
    milestones = makeMilestones()
  }

  /// Returns whether a line ends at this index. A line ends with LF, CR LF, or CR.
  private static func endsLine(_ bytes: [UInt8], at index: Int) -> Bool {
    switch bytes[index] {
    case UInt8(ascii: "\n"): true
    case UInt8(ascii: "\r"): index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
    default: false
    }
  }

  private func makeMilestones() -> [Milestone] {
    let distance = 1024
    var milestones: [Milestone] = []
    for (number, start) in lineStarts.enumerated() {
      let end = number + 1 < lineStarts.count ? lineStarts[number + 1] : bytes.count
      var last = Milestone(offset: start, column: 1)
      var offset = start + distance
      while offset < end {
        if bytes[offset] < 0x80, bytes[offset - 1] < 0x80 {
          last = Milestone(offset: offset, column: column(of: offset, after: last))
          milestones.append(last)
          offset += distance
        } else {
          offset += 1
        }
      }
    }
    return milestones
  }

  private func column(of offset: Int, after milestone: Milestone) -> Int {
    milestone.column + text(milestone.offset..<offset).count
  }

  /// Returns the position of the byte at `offset`, which may be the end of the text.
  package func position(of offset: Int) -> Position {
    let index = lineIndex(of: offset)
    let start = Milestone(offset: lineStarts[index], column: 1)
    let near = Self.last(in: milestones.count) { milestones[$0].offset <= offset }.map { milestones[$0] } ?? start
    return Position(line: index + 1, column: column(of: offset, after: near.offset > start.offset ? near : start))
  }

  /// Returns the range of the line that contains the byte at `offset`, without its line break.
  package func line(at offset: Int) -> Range<Int> {
    let index = lineIndex(of: offset)
    var end = index + 1 < lineStarts.count ? lineStarts[index + 1] : bytes.count
    while end > lineStarts[index], bytes[end - 1] == UInt8(ascii: "\r") || bytes[end - 1] == UInt8(ascii: "\n") {
      end -= 1
    }
    return lineStarts[index]..<max(end, min(offset, bytes.count))
  }

  /// The text of each line, without its line break. After a final line break, the last line is empty.
  package var lines: [String] { lineStarts.map { text(line(at: $0)) } }

  /// Returns the text in a range. Invalid UTF-8 is replaced by replacement characters.
  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the position of the first byte in the range that starts a character. Returns the range's end if there is
  /// none, which is possible in invalid UTF-8.
  func characterStart(in range: Range<Int>) -> Int {
    bytes[range].firstIndex { $0 & 0b1100_0000 != 0b1000_0000 } ?? range.upperBound
  }

  /// The position of the first byte that is not valid UTF-8, or nil if there is none.
  var firstInvalidByte: Int? {
    let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
    if repaired == bytes { return nil }
    return zip(repaired, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? bytes.count - 1
  }

  private func lineIndex(of offset: Int) -> Int { Self.last(in: lineStarts.count) { lineStarts[$0] <= offset } ?? 0 }

  /// Returns the last index below `count` for which the condition holds, or nil. The condition must hold for all
  /// indices up to that one, and for none after it.
  private static func last(in count: Int, where holds: (Int) -> Bool) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}

extension SourceText {
  /// Returns the text in which `*` replaces each byte of a credential, so that all other bytes keep their positions.
  ///
  /// - Parameter offsets: the positions whose lines are redacted. The other lines must not be shown.
  func withoutCredentials(inLinesAt offsets: [Int]) -> SourceText {
    var shown = bytes
    for line in Set(offsets.map(line(at:))) {
      for part in Self.strings(of: bytes[line]) ?? [bytes[line]] {
        for range in Credentials(in: Array(part)).ranges {
          for index in range { shown[part.startIndex + index] = UInt8(ascii: "*") }
        }
      }
    }
    return SourceText(path: path, bytes: shown)
  }

  /// Returns the contents of the strings in a line. Returns nil if a string is not terminated, or if text outside the
  /// strings could be part of an address.
  private static func strings(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    var strings: [ArraySlice<UInt8>] = []
    var start: Int?
    var isEscaped = false
    for (index, byte) in zip(line.indices, line) {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where start != nil: isEscaped = true
      case UInt8(ascii: "\""):
        if let first = start { strings.append(line[first..<index]) }
        start = start == nil ? index + 1 : nil
      case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "@"), UInt8(ascii: "%"), 0x80...0xFF:
        if start == nil { return nil }
      default: break
      }
    }
    return start == nil ? strings : nil
  }
}
