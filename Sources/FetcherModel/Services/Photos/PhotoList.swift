import Foundation

/// The answer of a photo service: `{"photos": {"photo": [...]}}`.
struct PhotoList: Decodable {
  private struct Page: Decodable {
    let photo: [Entry]
  }

  /// A photo, or nil where the entry lacks what a photo needs.
  private struct Entry: Decodable {
    let photo: Photo?

    init(from decoder: any Decoder) { photo = try? Photo(from: decoder) }
  }

  private let photos: Page

  /// The photos that can be used, in the order of the list. An empty list is well.
  ///
  /// - Throws: `invalidJSONData` when the data is no such list, or none of its entries can be used.
  static func photos(in data: Data) throws(PhotoError) -> [Photo] {
    guard let list = try? JSONDecoder().decode(Self.self, from: data) else { throw .invalidJSONData }
    let entries = list.photos.photo
    let usable = entries.compactMap(\.photo)
    guard !usable.isEmpty || entries.isEmpty else { throw .invalidJSONData }
    return usable
  }
}
