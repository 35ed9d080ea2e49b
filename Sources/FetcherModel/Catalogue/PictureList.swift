import Bytes
import Foundation

/// The JSON of a list of pictures, of which ``Catalogue`` and ``Slideshow`` are made.
///
/// A list comes from outside, so each text is validated; errors name the path of the wrong value.
struct PictureList: Decodable {
  enum CodingKeys: String, CodingKey {
    case title, slides, photos, images
  }

  let title: String
  let pictures: [ListedPicture]
  private let key: CodingKeys

  /// - Parameter name: what the data is called in errors.
  init(data: Data, name: String) throws(FetchError) {
    do {
      // The decoder does not say where it stops.
      _ = try JSONSerialization.jsonObject(with: data)
    } catch {
      let words = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "verify its brackets and commas"
      throw .catalogue(path: "", reason: "\(name) is no JSON: \(words)")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch let error as FetchError {
      throw error
    } catch {
      let problem = DecodingProblem(error)
      throw .catalogue(path: problem.path, reason: (problem.path.isEmpty ? "\(name) " : "") + problem.reason)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.text(forKey: .title) ?? ""
    key = [.slides, .photos, .images].first(where: container.contains) ?? .slides
    pictures = try container.decode([ListedPicture].self, forKey: key)
  }

  /// Makes an entry of each picture.
  ///
  /// - Throws: `catalogue` for a second entry with the same identifier.
  func entries<Entry>(
    id: (Entry) -> String?, _ make: (ListedPicture, _ path: String) throws(FetchError) -> Entry
  ) throws(FetchError) -> [Entry] {
    var entries: [Entry] = []
    var owners: [UTF8String: Int] = [:]
    for (index, picture) in pictures.enumerated() {
      let entry = try make(picture, "\(key.rawValue)[\(index)]")
      entries.append(entry)
      guard let id = id(entry), let owner = owners.updateValue(index, forKey: UTF8String(id)) else { continue }
      throw .catalogue(
        path: "\(key.rawValue)[\(index)].id",
        reason:
          "\(PictureLocation.quoted(id)) is the id of \(key.rawValue)[\(owner)] already; give each picture its own")
    }
    return entries
  }
}

/// What a list says of one picture.
struct ListedPicture: Decodable {
  enum CodingKeys: String, CodingKey {
    case id, title, file, url, description, isFavorite
  }

  let id: String?
  let title: String?
  let file: String?
  let description: String?
  let isFavorite: Bool
  /// Counted from zero.
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
      throw FetchError.catalogue(path: container.path(of: key), reason: problem)
    }
    description = try container.text(forKey: .description)
    isFavorite = try container.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false
  }
}
