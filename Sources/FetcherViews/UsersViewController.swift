import EventBus
public import FetcherModel
public import Foundation

/// The users of a service and, one page further, their posts, without a screen.
///
/// Both pages ask through one type, `APIService`; what differs is the address and what is decoded.
@MainActor public final class UsersViewController {
  /// The page of users.
  public typealias Users = FetchedListViewController<[User], APIError>
  /// The page of posts.
  public typealias Posts = FetchedListViewController<[Post], APIError>

  /// All users.
  public let users: Users
  /// The posts of the chosen user, of all, or at an address that a person gave.
  public let posts: Posts
  private let usersURL: URL
  private let postsURL: URL
  private let environment: FetchEnvironment

  /// - Parameters:
  ///   - usersURL: the address of the users; the posts of one of them are at `ID/posts` below it.
  ///   - postsURL: the address of all posts.
  ///   - environment: how they are fetched.
  ///   - onDrawUsers: called after each change of the page of users.
  ///   - onDrawPosts: called after each change of the page of posts.
  public init(
    users usersURL: URL, posts postsURL: URL, in environment: FetchEnvironment,
    onDrawUsers: @escaping @MainActor (Users.Screen) -> Void = { _ in },
    onDrawPosts: @escaping @MainActor (Posts.Screen) -> Void = { _ in }
  ) {
    (self.usersURL, self.postsURL, self.environment) = (usersURL, postsURL, environment)
    users = Users(
      APIService(usersURL.absoluteString, in: environment).resource(), in: environment, name: "users",
      onDraw: onDrawUsers)
    posts = Posts(
      APIService(postsURL.absoluteString, in: environment).resource(), in: environment, name: "posts",
      onDraw: onDrawPosts)
  }

  /// The page of users is about to be seen.
  public func viewWillAppear() {
    environment.runtime.requireMain()
    users.viewWillAppear()
  }

  /// Whichever page is visible is about to go.
  public func viewWillDisappear() {
    environment.runtime.requireMain()
    users.viewWillDisappear()
    posts.viewWillDisappear()
  }

  /// Goes on to the posts of a user, or with nil to those of all.
  public func showPosts(of user: User?) {
    showPosts(at: (user.map { usersURL.appending(path: "\($0.id)/posts") } ?? postsURL).absoluteString)
  }

  /// Goes on to the posts at an address that somebody typed. It need not be a URL: the alert is then `invalidURL`.
  public func showPosts(at address: String) {
    users.viewWillDisappear()
    posts.viewWillDisappear()
    posts.show(APIService(address, in: environment).resource())
    posts.viewWillAppear()
  }

  /// Goes back to the users.
  public func goBack() {
    posts.viewWillDisappear()
    users.viewWillAppear()
  }
}
