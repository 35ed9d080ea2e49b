import Bytes

extension SourceText {
  /// The text with a `*` for each byte of a credential, so that all other bytes keep their places.
  var withoutCredentials: SourceText {
    guard !Credentials(in: text(bytes.indices)).ranges.isEmpty else { return self }
    var bytes = bytes
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      for part in Self.strings(of: line) ?? [line] {
        let text = text(part.indices)
        // Bytes that are not UTF-8 have no place in the text.
        guard text.utf8.elementsEqual(part) else {
          if text.contains("@") { for index in part.indices { bytes[index] = UInt8(ascii: "*") } }
          continue
        }
        for range in Credentials(in: text).ranges {
          let start = part.startIndex + text.utf8.distance(from: text.startIndex, to: range.lowerBound)
          let end = part.startIndex + text.utf8.distance(from: text.startIndex, to: range.upperBound)
          for index in start..<end { bytes[index] = UInt8(ascii: "*") }
        }
      }
    }
    return SourceText(path: path, bytes: bytes)
  }

  /// The contents of the strings in a line, or nil if one does not end or text outside of them could be a part of an address.
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
