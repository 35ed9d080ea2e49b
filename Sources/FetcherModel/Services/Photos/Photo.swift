public import Foundation

/// What a photo service says of one photo. The picture itself is fetched separately.
public struct Photo: Sendable, Hashable, Identifiable {
  /// The identifier as text, whether the service sends a number or a string.
  public let id: String
  /// The title, possibly empty.
  public let title: String
  /// Where the picture is.
  public let remoteURL: URL
  /// When it was taken. Services send a local time without its zone; it is read as Greenwich time.
  public let dateTaken: Date
}

extension Photo: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, title
    case remoteURL = "url_h"
    case dateTaken = "datetaken"
  }

  /// Reads `id`, `title`, `url_h` and `datetaken` (`2017-01-01 12:32:06`), all of which must be there.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decodeIdentifier(forKey: .id)
    title = try container.decode(String.self, forKey: .title)
    let address = try container.decode(String.self, forKey: .remoteURL)
    guard let url = URL(string: address), url.scheme != nil else {
      throw DecodingError.dataCorruptedError(forKey: .remoteURL, in: container, debugDescription: "is no address")
    }
    remoteURL = url
    let taken = try container.decode(String.self, forKey: .dateTaken)
    // The parser is content with a date at the beginning of the text.
    guard let date = try? Self.dates.parse(taken), Self.dates.format(date) == taken else {
      throw DecodingError.dataCorruptedError(forKey: .dateTaken, in: container, debugDescription: "is no date")
    }
    dateTaken = date
  }

  private static let dates = Date.ISO8601FormatStyle(timeZone: .gmt)
    .year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
}

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
        throw .refused(refusal.message.quoted)
      }
      throw .invalidJSONData
    }
    let entries = list.photos.photo
    let usable = entries.compactMap(\.photo)
    guard !usable.isEmpty || entries.isEmpty else { throw .invalidJSONData }
    return usable
  }
}

/// Why a photo service has no list. A picture that cannot be had is a ``FetchError``.
public enum PhotoListError: Error, Equatable, Sendable {
  /// The answer is no JSON at all, such as the page of a portal.
  case notJSON
  /// The answer is JSON and no list of photos, or not one of its photos has all that is needed.
  case invalidJSONData
  /// The service understood and refused: services report a wrong key so, with status 200. In the service's own words.
  case refused(String)
  /// There was no answer, or not a good one.
  case fetch(FetchError)
}

extension PhotoListError: LocalizedError, CustomStringConvertible {
  /// The same as ``description``: what `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// What went wrong and what to do about it: one line of plain English.
  public var description: String {
    switch self {
    case .notJSON: "the list of photos: the answer is no JSON; see what the address leads to"
    case .invalidJSONData:
      "the list of photos: none has an id, a title, url_h and datetaken; the service may have changed its format"
    case .refused(let reason): "the list of photos: the service refused: \(reason); verify the key and the parameters"
    case .fetch(let error): error.message(of: "the list of photos")
    }
  }
}
