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
  /// - Throws: a decoding error, or `catalogue` for a text of more than 4096 bytes, and for a `file` that leads out of the
  ///   base or has another scheme than http and https.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let path = { (key: CodingKeys) in DecodingProblem.text(container.codingPath + [key]) }
    let text = { (key: CodingKeys) throws -> String? in
      guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
      try CatalogueReader.checkLength(text, at: path(key))
      return text
    }
    let isNamed = try container.contains(.id) && !container.decodeNil(forKey: .id)
    let position = (decoder.codingPath.last?.intValue ?? 0) + 1
    id = isNamed ? try container.decodeIdentifier(forKey: .id) : "slide \(position)"
    try CatalogueReader.checkLength(id, at: path(.id))
    imgFileName = try text(.imgFileName)
    if let imgFileName { try CatalogueReader.check(imgFileName, at: path(.imgFileName)) }
    title = try text(.title) ?? imgFileName.map { PictureLocation(text: $0).name } ?? id
    description = try text(.description)
    isFavorite = try container.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false
  }
}
