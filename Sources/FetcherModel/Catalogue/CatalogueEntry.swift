/// One picture of a ``Catalogue``.
public struct CatalogueEntry: Sendable, Equatable {
  /// The identifier as text, whether the file has a number, a string or none.
  public let id: String?
  /// The title; the file's name where the catalogue has none.
  public let title: String
  /// A path below the catalogue's base, or a whole http or https address.
  public let file: String
}
