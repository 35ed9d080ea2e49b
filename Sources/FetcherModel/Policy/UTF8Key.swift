/// A text that equals another one when its UTF-8 bytes do.
///
/// A `String` is equal to any other spelling of its characters, so that `/caf\u{E9}` and `/cafe\u{301}`, which are two resources
/// of a server, would be one key.
package struct UTF8Key: Hashable, Sendable {
  /// The text as it was written.
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension UTF8Key: Comparable, CustomStringConvertible, ExpressibleByStringInterpolation {
  package static func < (one: Self, other: Self) -> Bool { one.text.utf8.lexicographicallyPrecedes(other.text.utf8) }

  package init(stringLiteral text: String) { self.text = text }

  package var description: String { text }
}
