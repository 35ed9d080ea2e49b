/// What a user wrote, as `/posts` of the JSONPlaceholder service lists it.
public struct Post: Decodable, Identifiable, Equatable, Sendable {
  /// The ``User/id`` of the author.
  public let userId: Int
  /// Unique among posts.
  public let id: Int
  /// The heading.
  public let title: String
  /// The text.
  public let body: String
}
