import FetcherModel

/// A user of the JSONPlaceholder service, as listed by `/users`.
public struct User: Decodable, Identifiable, Equatable, Sendable {
  /// The identifier, which is unique among users.
  public let id: Int
  /// The full name.
  public let name: String
  /// The login name.
  public let username: String
  /// The e-mail address, which is not validated.
  public let email: String
}

/// A user's post, as listed by `/posts` of the JSONPlaceholder service.
public struct Post: Decodable, Identifiable, Equatable, Sendable {
  /// The ``User/id`` of the author.
  public let userId: Int
  /// The identifier, which is unique among posts.
  public let id: Int
  /// The title.
  public let title: String
  /// The text of the post.
  public let body: String
}
