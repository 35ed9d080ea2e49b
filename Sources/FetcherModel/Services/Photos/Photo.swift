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
