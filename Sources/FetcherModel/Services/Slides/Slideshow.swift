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

  /// A slide of one's own.
  public init(
    id: String, title: String, imgFileName: String? = nil, description: String? = nil, isFavorite: Bool = false
  ) {
    self.id = id
    self.title = title
    self.imgFileName = imgFileName
    self.description = description
    self.isFavorite = isFavorite
  }
}

extension Slide: Decodable {
  /// Reads `id`, `title`, `file`, `description` and `isFavorite`, none of which need be there.
  ///
  /// - Throws: a decoding error, or `catalogue` for a text of more than 4096 bytes, and for a `file` that leads out of the
  ///   base or has another scheme than http and https.
  public init(from decoder: any Decoder) throws { self.init(try ListedPicture(from: decoder)) }

  init(_ picture: ListedPicture) {
    id = picture.id ?? "slide \(picture.position + 1)"
    imgFileName = picture.file
    title = picture.title ?? picture.file.map { PictureLocation(text: $0).name } ?? id
    description = picture.description
    isFavorite = picture.isFavorite
  }
}
