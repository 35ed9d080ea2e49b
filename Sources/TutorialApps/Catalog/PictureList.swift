import FetcherModel
import Foundation
import PlainText

/// A list of pictures in JSON, from which ``Catalog`` and ``Slideshow`` are created.
///
/// Every string is validated, because the data is untrusted. Errors contain the path to the invalid value.
struct PictureList: Decodable {
  enum CodingKeys: String, CodingKey {
    case title, slides, photos, images
  }

  let title: String
  let pictures: [ListedPicture]
  private let key: CodingKeys

  /// - Parameter name: the name used for the data in error messages.
  init(data: Data, name: String) throws(ServiceError) {
    do {
      // `JSONDecoder` does not report where the syntax is invalid.
      _ = try JSONSerialization.jsonObject(with: data)
    } catch {
      let words = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "verify its brackets and commas"
      throw .catalog(path: "", reason: "\(name) is not valid JSON: \(words)")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch let error as ServiceError {
      throw error
    } catch {
      let problem = DecodingProblem(error)
      throw .catalog(path: problem.path, reason: (problem.path.isEmpty ? "\(name) " : "") + problem.reason)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.text(forKey: .title) ?? ""
    key = [.slides, .photos, .images].first(where: container.contains) ?? .slides
    pictures = try container.decode([ListedPicture].self, forKey: key)
  }

  /// Creates an entry from each picture.
  ///
  /// - Throws: `catalog` if two entries have the same identifier.
  func entries<Entry>(
    id: (Entry) -> String?, _ make: (ListedPicture, _ path: String) throws(ServiceError) -> Entry
  ) throws(ServiceError) -> [Entry] {
    var entries: [Entry] = []
    var owners: [UTF8String: Int] = [:]
    for (index, picture) in pictures.enumerated() {
      let entry = try make(picture, "\(key.rawValue)[\(index)]")
      entries.append(entry)
      guard let id = id(entry), let owner = owners.updateValue(index, forKey: UTF8String(id)) else { continue }
      throw .catalog(
        path: "\(key.rawValue)[\(index)].id",
        reason:
          "\(id.quoted) is already the id of \(key.rawValue)[\(owner)]; give each picture a different id")
    }
    return entries
  }
}

/// The entry for one picture in a list.
struct ListedPicture: Decodable {
  enum CodingKeys: String, CodingKey {
    case id, title, file, url, description, isFavorite
  }

  let id: String?
  let title: String?
  let file: String?
  let description: String?
  let isFavorite: Bool
  /// The zero-based index in the list.
  let position: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    position = decoder.codingPath.last?.intValue ?? 0
    let isNamed = try container.contains(.id) && !container.decodeNil(forKey: .id)
    id = isNamed ? try container.decodeIdentifier(forKey: .id) : nil
    title = try container.text(forKey: .title)
    let key = container.contains(.file) ? CodingKeys.file : .url
    file = try container.text(forKey: key)
    if let problem = file.flatMap({ PictureLocation(text: $0).problem }) {
      throw ServiceError.catalog(path: container.path(of: key), reason: problem)
    }
    description = try container.text(forKey: .description)
    isFavorite = try container.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false
  }
}

/// The location of a picture: a path below the list's base, or a full http or https address.
///
/// Compares bytes and scalars, because the data is untrusted. In a `String`, a combining mark turns a `/` into a
/// different character. If one percent escape is not valid UTF-8, Foundation decodes none of the escapes.
struct PictureLocation {
  let text: String

  /// The reason for rejecting the location, or nil if it is valid.
  var problem: String? {
    if text.isEmpty { return "is empty" }
    if isWhole, URL(string: text)?.host?.isEmpty == false { return nil }
    // A server may decode percent escapes twice.
    let plain = text.replacing(/%(2[EF]|5C|3A)/.ignoresCase().matchingSemantics(.unicodeScalar)) { escape in
      String(Unicode.Scalar(UInt8(escape.output.1, radix: 16) ?? 0))
    }
    if Self.scheme(of: plain) != nil {
      return "\(text.quoted) is refused: only http and https addresses are allowed"
    }
    let parts = plain.utf8.split(omittingEmptySubsequences: false) { $0 == Self.slash || $0 == UInt8(ascii: "\\") }
    let leadsOut = parts[0].isEmpty || parts.contains { $0.elementsEqual("..".utf8) }
    return leadsOut ? "\(text.quoted) is rejected, because it points outside the catalog's folder" : nil
  }

  /// A readable name for the picture: the last path component.
  var name: String {
    if isWhole, let url = URL(string: text) { return url.path.isEmpty ? url.host ?? "" : url.lastPathComponent }
    return Substring(text.utf8.split(separator: Self.slash).last ?? text[...].utf8).description
  }

  /// Returns the full address of the picture.
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
}
