/// The path of a request, percent-decoded and without the query.
///
/// Two paths are equal when their UTF-8 bytes are, as for HTTP and for file systems: `/caf\u{E9}` and `/cafe\u{301}` are
/// two paths, though they are one `String`.
public struct OriginPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The path as text.
  public let text: String

  /// A path.
  public init(_ text: String) { self.text = text }

  /// A path, written as a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// The path as text.
  public var description: String { text }

  /// Whether the bytes are the same.
  public static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
