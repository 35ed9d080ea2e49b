/// One field of a head, taken apart. It is valid as long as the bytes of its line.
package struct HeaderLine {
  package let name: Slice<UnsafeRawBufferPointer>
  /// Without the blanks around it.
  package let value: Slice<UnsafeRawBufferPointer>

  /// Nil where the line, which comes without its end, is no field.
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
