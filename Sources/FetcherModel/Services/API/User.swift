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
