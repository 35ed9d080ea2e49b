/// One page of a ``Slideshow``.
public struct Slide: Sendable, Equatable, Identifiable {
  /// The identifier as text, whether the file has a number or a string; the position, as in `slide 3`, where it has none.
  public let id: String
  /// The title; the picture's file name where there is none, and the identifier where that is missing too.
  public var title: String
  /// The picture: a path below the base of all pictures, or a whole address. Nil for a slide without a picture.
  public var imgFileName: String?
  /// What there is to say about it.
  public var description: String?
  /// Whether somebody likes it.
  public var isFavorite: Bool
}

extension Slide: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, title, description, isFavorite
    case imgFileName = "file"
  }

  /// Reads `id`, `title`, `file`, `description` and `isFavorite`, none of which need be there.
  ///
  /// - Throws: a decoding error, or `catalogue` for a `file` that leads out of the base or has another scheme than http
  ///   and https.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let isNamed = try container.contains(.id) && !container.decodeNil(forKey: .id)
    let position = (decoder.codingPath.last?.intValue ?? 0) + 1
    id = isNamed ? try container.decodeIdentifier(forKey: .id) : "slide \(position)"
    imgFileName = try container.decodeIfPresent(String.self, forKey: .imgFileName)
    if let imgFileName {
      try CatalogueReader.check(imgFileName, at: DecodingProblem.text(container.codingPath + [CodingKeys.imgFileName]))
    }
    title =
      try container.decodeIfPresent(String.self, forKey: .title)
      ?? imgFileName?.split(separator: "/").last.map(String.init) ?? id
    description = try container.decodeIfPresent(String.self, forKey: .description)
    isFavorite = try container.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false
  }
}
