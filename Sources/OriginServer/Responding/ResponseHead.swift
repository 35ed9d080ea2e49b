/// The bytes of a response's status line and header fields.
struct ResponseHead {
  private(set) var bytes: [UInt8] = []

  init(status: Int) {
    bytes.reserveCapacity(256)
    append("HTTP/1.1 ")
    append(String(status))
    append(" ")
    append(reasonPhrase(status))
    append("\r\n")
  }

  mutating func field(_ name: String, _ value: String) {
    appendClean(name)
    append(": ")
    appendClean(value)
    append("\r\n")
  }

  mutating func end() { append("\r\n") }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// A line break inside a field would let its value write further fields.
  private mutating func appendClean(_ text: String) {
    bytes.append(contentsOf: text.utf8.lazy.map { $0 == 0x0D || $0 == 0x0A ? 0x20 : $0 })
  }
}
