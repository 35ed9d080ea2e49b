import Foundation

/// The answer of a photo service: `{"photos": {"photo": [...]}}`, or `{"stat": "fail", "message": ...}`.
struct PhotoList: Decodable {
  private struct Page: Decodable {
    let photo: [Entry]
  }

  /// A photo, or nil where the entry lacks what a photo needs.
  private struct Entry: Decodable {
    let photo: Photo?

    init(from decoder: any Decoder) { photo = try? Photo(from: decoder) }
  }

  private struct Refusal: Decodable {
    let stat: String
    let message: String
  }

  private let photos: Page

  /// The photos that can be used, in the order of the list. An empty list is well.
  ///
  /// - Throws: `notJSON`, `refused`, or `invalidJSONData` when the data is no such list, or none of its entries can be used.
  static func photos(in data: Data) throws(PhotoListError) -> [Photo] {
    let list: Self
    do {
      list = try JSONDecoder().decode(Self.self, from: data)
    } catch {
      if DecodingProblem(error).isSyntax { throw .notJSON }
      if let refusal = try? JSONDecoder().decode(Refusal.self, from: data), refusal.stat == "fail" {
        throw .refused(PictureLocation.quoted(refusal.message))
      }
      throw .invalidJSONData
    }
    let entries = list.photos.photo
    let usable = entries.compactMap(\.photo)
    guard !usable.isEmpty || entries.isEmpty else { throw .invalidJSONData }
    return usable
  }
}
