/// A text whose encoded ASCII characters are decoded, repeatedly if necessary. Each character knows its position in the
/// text. Percent encoding, JSON's `\u` and `\/`, and Unicode's full-width and small forms are decoded.
struct DecodedText {
  private struct Character {
    let byte: UInt8
    let isEncoded: Bool
    /// The offset of the character's first byte in the text.
    let offset: Int
  }

  private var characters: [Character] = []
  private let length: Int

  init(_ bytes: [UInt8]) {
    length = bytes.count
    characters.reserveCapacity(length)
    var position = 0
    while position < length {
      characters.append(Character(byte: bytes[position], isEncoded: false, offset: position))
      position += 1
      while let (count, byte, isEncoded) = encodedCharacter {
        let offset = characters[characters.count - count].offset
        characters.removeLast(count)
        characters.append(Character(byte: byte, isEncoded: isEncoded, offset: offset))
      }
    }
  }

  var count: Int { characters.count }

  subscript(index: Int) -> UInt8 { characters[index].byte }

  func isEncoded(_ index: Int) -> Bool { characters[index].isEncoded }

  /// Returns the offsets of the bytes that encode a range of characters.
  func offsets(of range: Range<Int>) -> Range<Int> { offset(of: range.lowerBound)..<offset(of: range.upperBound) }

  private func offset(of index: Int) -> Int { index < count ? characters[index].offset : length }

  /// The character that the last `length` characters encode, if there is one.
  private var encodedCharacter: (length: Int, byte: UInt8, isEncoded: Bool)? {
    let last = characters[count - 1]
    switch last.byte {
    case UInt8(ascii: "/"):
      // The slash itself is not encoded: it ends an authority with or without the backslash.
      return before(1) == UInt8(ascii: "\\") ? (2, last.byte, last.isEncoded) : nil
    case 0x80...0xBF:
      let (first, second, third) = (UInt32(before(2)), UInt32(before(1)), UInt32(last.byte))
      if second == 0xC2 { return Self.ascii(third).map { (2, $0, true) } }
      let code = (first & 0x0F) << 12 | (second & 0x3F) << 6 | third & 0x3F
      return first & 0xF0 == 0xE0 ? Self.ascii(code).map { (3, $0, true) } : nil
    default:
      guard let low = hexPair(endingBefore: 0) else { return nil }
      if before(2) == UInt8(ascii: "%") { return (3, low, true) }
      guard before(5) == 0x5C, before(4) | 0x20 == UInt8(ascii: "u"), let high = hexPair(endingBefore: 2) else {
        return nil
      }
      return Self.ascii(UInt32(high) << 8 | UInt32(low)).map { (6, $0, true) }
    }
  }

  /// Returns the byte that is `distance` characters before the last one, or zero.
  private func before(_ distance: Int) -> UInt8 { distance < count ? self[count - 1 - distance] : 0 }

  /// Returns the value of the two hexadecimal digits before the last `distance` characters.
  private func hexPair(endingBefore distance: Int) -> UInt8? {
    guard let low = Self.hexValue(before(distance)), let high = Self.hexValue(before(distance + 1)) else { return nil }
    return high << 4 | low
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte & 0x0F
    case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"): byte & 0x0F + 9
    default: nil
    }
  }

  /// Returns the ASCII character that a code point stands for, if there is one.
  private static func ascii(_ code: UInt32) -> UInt8? {
    switch code {
    case 0..<0x80: UInt8(code)
    case 0xFF01...0xFF5E: UInt8(code - 0xFEE0)
    case 0xFE13, 0xFE55: UInt8(ascii: ":")
    case 0xFE68: UInt8(ascii: "\\")
    case 0xFE6A: UInt8(ascii: "%")
    case 0xFE6B: UInt8(ascii: "@")
    case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: UInt8(ascii: " ")
    default: nil
    }
  }
}
