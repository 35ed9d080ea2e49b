/// Writes the bytes of a head: its first line, its fields, its end.
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

  /// A line break inside a field would let its value write further fields.
  private mutating func appendClean(_ text: String) {
    bytes.append(contentsOf: text.utf8.lazy.map { $0 == 0x0D || $0 == 0x0A ? 0x20 : $0 })
  }
}
