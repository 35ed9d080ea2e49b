/// A user of the JSONPlaceholder service, as `/users` lists them.
public struct User: Decodable, Identifiable, Equatable, Sendable {
  /// Unique among users.
  public let id: Int
  /// The full name.
  public let name: String
  /// The name to sign in with.
  public let username: String
  /// The address for mail, not validated.
  public let email: String
}

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
