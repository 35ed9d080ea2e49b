import Foundation

/// Where a list says that a picture is: a path below the list's base, or a whole http or https address.
///
/// A list comes from outside, so everything here looks at bytes and scalars: in a `String` a combining mark makes a `/` another
/// character, and Foundation takes off no escape where one of them is no UTF-8.
struct PictureLocation {
  let text: String

  /// Why the location is refused; nil if it is well.
  var problem: String? {
    if text.isEmpty { return "is empty" }
    if isWhole, URL(string: text)?.host?.isEmpty == false { return nil }
    // A server might take an escape off once more.
    let plain = text.replacing(/%(2[EF]|5C|3A)/.ignoresCase().matchingSemantics(.unicodeScalar)) { escape in
      String(Unicode.Scalar(UInt8(escape.output.1, radix: 16) ?? 0))
    }
    if Self.scheme(of: plain) != nil {
      return "\(Self.quoted(text)) is refused: only http and https addresses are allowed"
    }
    let parts = plain.utf8.split(omittingEmptySubsequences: false) { $0 == Self.slash || $0 == UInt8(ascii: "\\") }
    let leadsOut = parts[0].isEmpty || parts.contains { $0.elementsEqual("..".utf8) }
    return leadsOut ? "\(Self.quoted(text)) is refused: it leads out of the catalogue's folder" : nil
  }

  /// What a person may call the picture: the last part of the path.
  var name: String {
    if isWhole, let url = URL(string: text) { return url.path.isEmpty ? url.host ?? "" : url.lastPathComponent }
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

  private var isWhole: Bool { ["http", "https"].contains(Self.scheme(of: text)) }

  private static let slash = UInt8(ascii: "/")

  private static func scheme(of text: String) -> String? {
    text.prefixMatch(of: /([A-Za-z][A-Za-z0-9+\-.]*):/.matchingSemantics(.unicodeScalar))?.output.1.lowercased()
  }

  /// Text from outside for a message: not too long, without secrets, and without characters that a terminal obeys.
  static func quoted(_ text: String) -> String {
    let scalars = text.withoutSecrets.unicodeScalars
    let plain = scalars.prefix(80).map { $0.properties.generalCategory == .control ? "?" : String($0) }
    return "“\(plain.joined())\(scalars.count > 80 ? "…" : "")”"
  }
}
