import Bytes

/// The path of a request, percent-decoded and without the query.
///
/// Two paths are equal when their UTF-8 bytes are, as for HTTP and for file systems: `/caf\u{E9}` and `/cafe\u{301}` are
/// two paths, though they are one `String`.
public struct OriginPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let spelling: UTF8String

  /// A path.
  public init(_ text: String) { spelling = UTF8String(text) }

  /// A path, written as a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as text.
  public var text: String { spelling.text }

  /// The path as text.
  public var description: String { text }
}
