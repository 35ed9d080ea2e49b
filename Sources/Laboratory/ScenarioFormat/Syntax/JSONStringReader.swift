import PlainText

/// Reads one string in a JSON text and decodes its escape sequences.
struct JSONStringReader {
  /// The single-character escape sequences and their meanings.
  private static let plain: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  private let bytes: [UInt8]
  private let start: Int
  private var index: Int
  private var content: [UInt8] = []
  private var isSound = true

  /// - Parameter start: the position of the opening quote.
  init(_ bytes: [UInt8], openingAt start: Int) {
    self.bytes = bytes
    self.start = start
    index = start + 1
  }

  /// Returns the content of the string and its end in the text. If the string is invalid, reports this and
  /// returns nil as the content.
  consuming func read(_ diagnostics: inout Diagnostics) -> (text: String?, end: Int) {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        return (isSound ? String(decoding: content, as: UTF8.self) : nil, index + 1)
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return unterminated(&diagnostics)
      case UInt8(ascii: "\\"):
        readEscape(&diagnostics)
      case let byte where byte < 0x20:
        complain("a control character in a string", index..<index + 1, "write it as \(Self.escape(byte))", &diagnostics)
        index += 1
      default:
        content.append(bytes[index])
        index += 1
      }
    }
    return unterminated(&diagnostics)
  }

  private func unterminated(_ diagnostics: inout Diagnostics) -> (text: String?, end: Int) {
    diagnostics.reportUnclosedString(at: start..<index, lineStart: bytes.startOfLine(with: start))
    return (nil, index)
  }

  private mutating func readEscape(_ diagnostics: inout Diagnostics) {
    let escape = index
    index += 1
    guard index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") else { return }
    if let byte = Self.plain[bytes[index]] {
      content.append(byte)
      index += 1
    } else if bytes[index] == UInt8(ascii: "u") {
      readUnicode(from: escape, &diagnostics)
    } else {
      repeat { index += 1 } while index < bytes.count && bytes[index] & 0b1100_0000 == 0b1000_0000
      let (bytes, range) = (bytes, escape..<index)
      complain(
        "\(quoted(String(decoding: bytes[range], as: UTF8.self))) is not a JSON escape sequence", range,
        "write two backslashes for a literal one", &diagnostics)
    }
  }

  private mutating func readUnicode(from escape: Int, _ diagnostics: inout Diagnostics) {
    guard let first = readHex() else {
      return complain("\"\\u\" needs four hexadecimal digits", escape..<index, nil, &diagnostics)
    }
    var scalar = Unicode.Scalar(first)
    if UTF16.isLeadSurrogate(first), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    {
      index += 1
      if let second = readHex(), UTF16.isTrailSurrogate(second) {
        scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
      }
    }
    guard let scalar else {
      return complain(
        "this is only half of a surrogate pair", escape..<index, "write both halves, or the character", &diagnostics)
    }
    content += Array(String(Character(scalar)).utf8)
  }

  /// Reads the four hexadecimal digits after the `u` and advances the index past them.
  private mutating func readHex() -> UInt16? {
    index += 1
    var digits = 0
    var value: UInt16 = 0
    while digits < 4, index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue {
      value = value << 4 | UInt16(digit)
      index += 1
      digits += 1
    }
    return digits == 4 ? value : nil
  }

  private mutating func complain(
    _ message: @autoclosure () -> String, _ range: Range<Int>, _ advice: @autoclosure () -> String?,
    _ diagnostics: inout Diagnostics
  ) {
    isSound = false
    diagnostics.report(.syntax, message(), at: range, advice())
  }

  private static func escape(_ byte: UInt8) -> String {
    byte == 0x09 ? "\\t" : "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
  }
}
