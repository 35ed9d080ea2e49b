/// A string that equals another one if their UTF-8 bytes are equal.
///
/// Two `String`s are equal if they show the same characters. `/caf\u{E9}` and `/cafe\u{301}` are one `String`, and two
/// resources of a server or a file system.
@usableFromInline
package struct UTF8String: Hashable, Sendable {
  /// The string in its original spelling.
  @usableFromInline package let text: String

  @inlinable package init(_ text: String) { self.text = text }

  @inlinable package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  @inlinable package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension UTF8String: Comparable, CustomStringConvertible, ExpressibleByStringInterpolation {
  @inlinable package static func < (one: Self, other: Self) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  @inlinable package init(stringLiteral text: String) { self.text = text }

  @inlinable package var description: String { text }
}
