import Bytes

/// The decoded path of an image or a route, as the origin sees it. Paths are compared by their UTF-8 bytes.
package struct ScenarioPath: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  private let spelling: UTF8String

  package init(_ text: String) { spelling = UTF8String(text) }

  package init(stringLiteral text: String) { self.init(text) }

  /// The path as the file spells it.
  package var text: String { spelling.text }

  package static func < (one: Self, other: Self) -> Bool { one.spelling < other.spelling }
}
