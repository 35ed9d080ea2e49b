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
  public init(data: Data) throws(FetchError) { try self.init(PictureList(data: data, name: "the slideshow")) }

  private init(_ list: PictureList) throws(FetchError) {
    title = list.title
    slides = try list.entries(id: \.id) { (picture, _) in Slide(picture) }
  }
}

extension Slideshow: Decodable {
  /// Reads `title`, which need not be there, and `slides`, as a ``Catalogue`` does.
  ///
  /// - Throws: a decoding error, or `catalogue` for a text of more than 4096 bytes, for two slides of one `id`, and for what
  ///   a slide refuses.
  public init(from decoder: any Decoder) throws { try self.init(PictureList(from: decoder)) }
}
