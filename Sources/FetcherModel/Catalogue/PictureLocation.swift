import Foundation

/// Where a list says that a picture is: a path below the list's base, or a whole http or https address.
///
/// A list comes from outside, so everything here looks at bytes: in a `String` a combining mark makes a `/` another
/// character, and Foundation does not decode an escape that is no UTF-8.
struct PictureLocation {
  let text: String

  /// Why the location is refused; nil if it is well.
  var problem: String? {
    if text.isEmpty { return "is empty" }
    if isWhole, URL(string: text)?.host?.isEmpty == false { return nil }
    let plain = Self.unescaped(text)
    if Self.scheme(of: plain) != nil {
      return "\(Self.quoted(text)) is refused: only http and https addresses are allowed"
    }
    let parts = plain.split(omittingEmptySubsequences: false) { $0 == Self.slash || $0 == UInt8(ascii: "\\") }
    let leadsOut = parts[0].isEmpty || parts.contains { $0.elementsEqual("..".utf8) }
    return leadsOut ? "\(Self.quoted(text)) is refused: it leads out of the catalogue's folder" : nil
  }

  /// What a person may call the picture: the last part of the path.
  var name: String {
    if isWhole { return URL(string: text)?.lastPathComponent ?? "" }
    return Substring(text.utf8.split(separator: Self.slash).last ?? text[...].utf8).description
  }

  /// The whole address of the picture.
  func address(below base: URL) -> String {
    let path = text.utf8.split(separator: Self.slash).map { Substring($0) }.joined(separator: "/")
    guard !isWhole, var address = URLComponents(url: base, resolvingAgainstBaseURL: true),
      let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    else { return text }
    address.percentEncodedPath += (address.percentEncodedPath.utf8.last == Self.slash ? "" : "/") + escaped
    return address.string ?? text
  }

  private var isWhole: Bool { ["http", "https"].contains(Self.scheme(of: Array(text.utf8))) }

  private static let slash = UInt8(ascii: "/")

  /// The bytes without percent escapes.
  private static func unescaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, let escaped = UInt8(Substring(digits), radix: 16) {
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// What stands before the first colon, in small letters, if it can be a scheme.
  private static func scheme(of bytes: [UInt8]) -> String? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased().utf8
    let isScheme = scheme.allSatisfy { ("a"..."z").contains(Unicode.Scalar($0)) || "0123456789+-.".utf8.contains($0) }
    let startsWithLetter = scheme.first.map { ("a"..."z").contains(Unicode.Scalar($0)) } ?? false
    return isScheme && startsWithLetter ? String(scheme) : nil
  }

  /// Text from outside for a message: not too long, and without characters that a terminal obeys.
  static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(80).map { $0.properties.generalCategory == .control ? "?" : String($0) }
    return "“\(plain.joined())\(text.unicodeScalars.count > 80 ? "…" : "")”"
  }
}
