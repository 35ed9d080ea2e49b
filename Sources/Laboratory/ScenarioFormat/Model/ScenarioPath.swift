/// The path of an image or a route, decoded: as the origin sees it.
///
/// Two paths are equal when their UTF-8 bytes are: `/caf\u{E9}` and `/cafe\u{301}` are two resources and one `String`.
package struct ScenarioPath: Hashable, Comparable, Sendable {
  /// The path as the file spells it.
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  package static func < (one: Self, other: Self) -> Bool { one.text.utf8.lexicographicallyPrecedes(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ScenarioPath: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.text = text }
}
