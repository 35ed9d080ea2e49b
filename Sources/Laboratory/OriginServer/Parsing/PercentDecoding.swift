import HTTPWire

/// The text behind a percent-encoded path, or nil when the encoding, or what it stands for, is not proper.
func percentDecoded(_ text: Substring.UTF8View) -> String? {
  guard text.contains(UInt8(ascii: "%")) else { return String(Substring(text)) }
  var bytes: [UInt8] = []
  var rest = text
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else { return nil }
    bytes.append(high << 4 | low)
  }
  guard !bytes.contains(0) else { return nil }
  return String(validating: bytes, as: UTF8.self)
}
