public import FetcherModel
public import Foundation

/// A list of pictures read from JSON: `{"title": …, "slides": [{"id": 10, "title": …, "file": "sunset-10.jpeg"}]}`.
///
/// The key of the list is `slides`, `photos` or `images`. The key of a picture's file is `file` or `url`. Unknown keys
/// are ignored. An `id` is a string or an integer of up to 18 digits; `1` and `1.0` are equal. ``Slideshow`` reads the
/// same format.
///
/// The data is untrusted, so the initializer validates the whole catalog before anything is fetched. Each string has
/// at most 4,096 bytes, and each `id` is unique. Each `file` is either a path below the catalog's base address, or an
/// http or https address. Only the `TransportPolicy` of `FetcherModel` restricts redirects.
public struct Catalog: Sendable, Equatable {
  /// The title, or an empty string if the file has none.
  public let title: String
  /// The pictures, in file order.
  public let entries: [CatalogEntry]

  /// Reads a catalog from a file. Blocks while reading from disk.
  ///
  /// - Throws: `catalog`, with the path to the invalid value.
  public init(contentsOf file: URL) throws(ServiceError) {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw .catalog(path: "", reason: "\(file.path) cannot be read; verify the name and the permissions")
    }
    try self.init(data: data, name: file.lastPathComponent)
  }

  /// Reads a catalog from JSON.
  ///
  /// - Parameters:
  ///   - data: the JSON text.
  ///   - name: the name used for the data in error messages.
  /// - Throws: `catalog`, with the path to the invalid value.
  public init(data: Data, name: String) throws(ServiceError) {
    let list = try PictureList(data: data, name: name)
    title = list.title
    entries = try list.entries(id: \.id) { (picture, path) throws(ServiceError) in
      guard let file = picture.file else {
        throw .catalog(path: path + ".file", reason: "is missing; every picture needs one")
      }
      return CatalogEntry(id: picture.id, title: picture.title ?? PictureLocation(text: file).name, file: file)
    }
  }

  /// Creates an image for each entry, with its address resolved against `base`. Fetches nothing.
  public func images(base: URL, in environment: FetchEnvironment) -> [IFImage] {
    entries.map { IFImage(name: $0.title, url: $0.address(below: base), in: environment) }
  }
}

extension CatalogEntry {
  /// Returns the full address of the picture.
  public func address(below base: URL) -> String {
    PictureLocation(text: file).address(below: base)
  }
}

/// One picture in a ``Catalog``.
public struct CatalogEntry: Sendable, Equatable {
  /// The identifier as text. In the file, the identifier can be a number or a string, or be missing.
  public let id: String?
  /// The picture's title, or its file name if the catalog contains no title for it.
  public let title: String
  /// A path below the catalog's base, or a full http or https address.
  public let file: String
}
