public import Foundation

/// A list of pictures read from JSON: `{"title": …, "slides": [{"id": 10, "title": …, "file": "sunset-10.jpeg"}]}`.
///
/// The list may also be called `photos` or `images`, and a picture's `file` also `url`. Unknown keys are ignored.
/// A catalogue comes from outside, so what it says is checked before anything is fetched: a text of at most 4096 bytes,
/// an `id` of one picture only, a `file` that stays below the base or is an http or https address.
public struct Catalogue: Sendable, Equatable {
  /// The title; empty when the file has none.
  public let title: String
  /// The pictures in the order of the file.
  public let entries: [CatalogueEntry]

  /// Reads a file. Blocks on the disk.
  ///
  /// - Throws: `catalogue`, with the path of the wrong value.
  public init(contentsOf file: URL) throws(FetchError) {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw .catalogue(path: "", reason: "\(file.path) cannot be read; check the name and the permissions")
    }
    try self.init(data: data, name: file.lastPathComponent)
  }

  /// Reads JSON.
  ///
  /// - Parameters:
  ///   - data: the JSON.
  ///   - name: what the data is called in errors.
  /// - Throws: `catalogue`, with the path of the wrong value.
  public init(data: Data, name: String) throws(FetchError) {
    (title, entries) = try CatalogueReader(name: name).read(data)
  }

  /// An image for each entry, found below `base`, none of them fetched yet.
  public func images(base: URL, in environment: FetchEnvironment) -> [IFImage] {
    entries.map { IFImage($0.title, $0.address(below: base), in: environment) }
  }
}

extension CatalogueEntry {
  /// The whole address of the picture.
  public func address(below base: URL) -> String {
    PictureLocation(text: file).address(below: base)
  }
}
