public import Foundation

/// A title with its slides, in the slide service's format.
public struct Slideshow: Sendable, Equatable {
  /// The title, or an empty string if the file has none.
  public var title: String
  /// The slides, in file order.
  public var slides: [Slide]

  /// Reads a slideshow from JSON.
  ///
  /// - Throws: `catalog`, with the path to the invalid value.
  public init(data: Data) throws(ServiceError) { try self.init(PictureList(data: data, name: "the slideshow")) }

  private init(_ list: PictureList) throws(ServiceError) {
    title = list.title
    slides = try list.entries(id: \.id) { (picture, _) in Slide(picture) }
  }
}

extension Slideshow: Decodable {
  /// Decodes `title`, which is optional, and `slides`, in the same way as ``Catalog``.
  ///
  /// - Throws: a decoding error. Throws `catalog` for text longer than 4,096 bytes, a duplicate `id`, or an invalid
  ///   slide.
  public init(from decoder: any Decoder) throws { try self.init(PictureList(from: decoder)) }
}

/// One page of a ``Slideshow``.
public struct Slide: Sendable, Equatable, Identifiable {
  /// The identifier as text. In the file, the identifier is a number or a string. If the file has none, the slide's
  /// position is used, as in `slide 3`.
  public let id: String
  /// The title. Defaults to the picture's file name, or to the identifier if the slide has no picture.
  public var title: String
  /// The picture's path relative to the base address of all pictures, or its full address. Nil if the slide has no
  /// picture.
  public var imgFileName: String?
  /// The slide's description.
  public var description: String?
  /// Whether the slide is a favorite.
  public var isFavorite: Bool

  /// Creates a slide from the given values.
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
  /// Decodes `id`, `title`, `file`, `description` and `isFavorite`, all of which are optional.
  ///
  /// - Throws: a decoding error. Throws `catalog` for text longer than 4,096 bytes. Also throws `catalog` for a
  ///   `file` that points outside the base address or has a scheme other than http or https.
  public init(from decoder: any Decoder) throws { self.init(try ListedPicture(from: decoder)) }

  init(_ picture: ListedPicture) {
    id = picture.id ?? "slide \(picture.position + 1)"
    imgFileName = picture.file
    title = picture.title ?? picture.file.map { PictureLocation(text: $0).name } ?? id
    description = picture.description
    isFavorite = picture.isFavorite
  }
}
