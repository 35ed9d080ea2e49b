/// A string that is compared by its UTF-8 bytes.
///
/// Two `String` values are equal if they display the same characters. For example, `/caf\u{E9}` and `/cafe\u{301}` are
/// equal as `String` values. On a server or in a file system, they are two different resources.
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
