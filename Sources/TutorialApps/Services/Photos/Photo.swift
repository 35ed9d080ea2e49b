public import FetcherModel
public import Foundation

/// A photo service's description of one photo. The picture is fetched separately.
public struct Photo: Sendable, Hashable, Identifiable {
  /// The identifier as text. The service sends the identifier as a number or a string.
  public let id: String
  /// The title, which may be empty.
  public let title: String
  /// The picture's URL.
  public let remoteURL: URL
  /// The time at which the photo was taken. Services send a local time without a time zone, which is read as GMT.
  public let dateTaken: Date
}

extension Photo: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, title
    case remoteURL = "url_h"
    case dateTaken = "datetaken"
  }

  /// Decodes `id`, `title`, `url_h` and `datetaken` (`2017-01-01 12:32:06`). All four values are required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decodeIdentifier(forKey: .id)
    title = try container.decode(String.self, forKey: .title)
    let address = try container.decode(String.self, forKey: .remoteURL)
    guard let url = URL(string: address), url.scheme != nil else {
      throw DecodingError.dataCorruptedError(forKey: .remoteURL, in: container, debugDescription: "is not an address")
    }
    remoteURL = url
    let taken = try container.decode(String.self, forKey: .dateTaken)
    // The parser ignores any text after the date.
    guard let date = try? Self.dates.parse(taken), Self.dates.format(date) == taken else {
      throw DecodingError.dataCorruptedError(forKey: .dateTaken, in: container, debugDescription: "is not a date")
    }
    dateTaken = date
  }

  private static let dates = Date.ISO8601FormatStyle(timeZone: .gmt)
    .year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false)
}

/// A photo service's response: `{"photos": {"photo": [...]}}` or `{"stat": "fail", "message": ...}`.
struct PhotoList: Decodable {
  private struct Page: Decodable {
    let photo: [Entry]
  }

  /// A photo, or nil if the entry lacks a required value.
  private struct Entry: Decodable {
    let photo: Photo?

    init(from decoder: any Decoder) { photo = try? Photo(from: decoder) }
  }

  private struct Refusal: Decodable {
    let stat: String
    let message: String
  }

  private let photos: Page

  /// Returns the valid photos in list order. The list may be empty.
  ///
  /// - Throws: `notJSON`, `refused`, or `invalidJSONData` if the data is not a list of photos or none of its entries is
  ///   valid.
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

/// The reason why a photo service did not return a list. Picture errors are `FetchError` values.
public enum PhotoListError: Error, Equatable, Sendable {
  /// The response is not JSON. For example, a captive portal returned its own page.
  case notJSON
  /// The response is JSON but not a list of photos, or no photo has all required values.
  case invalidJSONData
  /// The service rejected the request with the given message. Services report an invalid key this way, with status 200.
  case refused(String)
  /// The request failed or returned a non-success status.
  case fetch(FetchError)
}

extension PhotoListError: LocalizedError, CustomStringConvertible {
  /// The same text as ``description``. It is also returned by `localizedDescription`.
  public var errorDescription: String? { description }

  /// The problem and its remedy, on one line.
  public var description: String {
    switch self {
    case .notJSON: "the list of photos: the response is not JSON; check the address"
    case .invalidJSONData:
      "the list of photos: no entry has an id, a title, url_h and datetaken; the service may have changed its format"
    case .refused(let reason):
      "the list of photos: the service rejected the request: \(reason); verify the key and the parameters"
    case .fetch(let error): error.message(of: "the list of photos")
    }
  }
}
