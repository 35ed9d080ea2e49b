public import Foundation

/// A title and its slides, as the slide service sends them.
public struct Slideshow: Sendable, Equatable {
  /// The title; empty when the file has none.
  public var title: String
  /// The slides in the order of the file.
  public var slides: [Slide]

  /// Reads JSON.
  ///
  /// - Throws: `catalogue`, with the path of the wrong value.
  public init(data: Data) throws(FetchError) {
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch let error as FetchError {
      throw error
    } catch {
      let problem = DecodingProblem(error)
      throw .catalogue(path: problem.path, reason: problem.reason)
    }
  }
}

extension Slideshow: Decodable {
  private enum CodingKeys: String, CodingKey {
    case title, slides
  }

  /// Reads `title`, which need not be there, and `slides`.
  ///
  /// - Throws: a decoding error, or `catalogue` for a text of more than 4096 bytes, for two slides of one `id`, and for what
  ///   a slide refuses.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decodeIfPresent(String.self, forKey: .title) ?? ""
    try CatalogueReader.checkLength(title, at: "title")
    slides = try container.decode([Slide].self, forKey: .slides)
    try CatalogueReader.checkUnique(slides.map(\.id), in: "slides")
  }
}
