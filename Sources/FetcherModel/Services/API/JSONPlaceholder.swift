/// A user of the JSONPlaceholder service, as listed by `/users`.
public struct User: Decodable, Identifiable, Equatable, Sendable {
  /// Unique among users.
  public let id: Int
  /// The full name.
  public let name: String
  /// The login name.
  public let username: String
  /// The e-mail address, not validated.
  public let email: String
}

/// A post of a user, as listed by `/posts` of the JSONPlaceholder service.
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
