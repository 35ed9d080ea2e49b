public import Foundation

/// A title and its slides, in the format of the slide service.
public struct Slideshow: Sendable, Equatable {
  /// The title, or an empty string if the file has none.
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
  /// Reads `title`, which is optional, and `slides`, like a ``Catalogue``.
  ///
  /// - Throws: a decoding error, or `catalogue` for a text of more than 4,096 bytes, for a duplicate `id`, and for an
  ///   invalid slide.
  public init(from decoder: any Decoder) throws { try self.init(PictureList(from: decoder)) }
}

/// One page of a ``Slideshow``.
public struct Slide: Sendable, Equatable, Identifiable {
  /// The identifier as text. The file has a number, a string, or none: then it is the position, as in `slide 3`.
  public let id: String
  /// The title. If it is missing, this is the picture's file name, or else the identifier.
  public var title: String
  /// The picture: a path below the base of all pictures, or a whole address. Nil for a slide without a picture.
  public var imgFileName: String?
  /// The description.
  public var description: String?
  /// Whether the slide is a favorite.
  public var isFavorite: Bool

  /// Makes a slide from values.
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
  /// Reads `id`, `title`, `file`, `description` and `isFavorite`. All of them are optional.
  ///
  /// - Throws: a decoding error, or `catalogue` for a text of more than 4,096 bytes, and for a `file` that leaves the
  ///   base or has a scheme
  ///   other than http and https.
  public init(from decoder: any Decoder) throws { self.init(try ListedPicture(from: decoder)) }

  init(_ picture: ListedPicture) {
    id = picture.id ?? "slide \(picture.position + 1)"
    imgFileName = picture.file
    title = picture.title ?? picture.file.map { PictureLocation(text: $0).name } ?? id
    description = picture.description
    isFavorite = picture.isFavorite
  }
}
