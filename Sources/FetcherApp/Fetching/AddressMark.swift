import Foundation
import PlainText

/// A checksum that identifies the address of a file. It is in an extended attribute of the file, if the file system has
/// extended attributes.
///
/// The attribute does not contain the address itself, because a query can be secret, and copies of the file would
/// reveal it. A reader of the attribute can still verify a guess, so a short secret in a query is not safe.
struct AddressMark: Hashable, Sendable {
  private static let attribute = "user.fetcher.address"
  /// The key of Foundation's dictionary of extended attributes.
  private static let key = FileAttributeKey("NSFileExtendedAttributes")

  private let bytes: Data

  /// Creates the mark of an address, which does not depend on its credentials and fragment.
  init(_ address: String) {
    // Only the user of the address itself is removed: an `@` in the path or the query distinguishes addresses.
    var parts = URLComponents(string: address)
    parts?.user = nil
    parts?.password = nil
    parts?.fragment = nil
    let hash = FNV1a.hash(parts?.string ?? address.addressWithoutCredentials)
    bytes = Data(String(hash, radix: 16).utf8)
  }

  /// Reads the mark of a file. Returns nil if the file has no mark.
  init?(of file: String) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)[Self.key] as? [String: Data]
    guard let bytes = attributes?[Self.attribute] else { return nil }
    self.bytes = bytes
  }

  /// Marks a file. This method does nothing if the file system has no extended attributes.
  func write(to file: String) {
    try? FileManager.default.setAttributes([Self.key: [Self.attribute: bytes]], ofItemAtPath: file)
  }
}
