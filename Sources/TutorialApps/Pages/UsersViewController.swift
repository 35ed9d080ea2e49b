import EventBus
public import FetcherModel
import FetcherViews
public import Foundation

/// Two headless pages: the users of a service, and their posts.
///
/// Both pages use `APIService`, with different URLs and types.
@MainActor public final class UsersViewController {
  /// The users page.
  public typealias Users = FetchedListViewController<[User], APIError>
  /// The posts page.
  public typealias Posts = FetchedListViewController<[Post], APIError>

  /// The page that shows all users.
  public let users: Users
  /// The page that shows the posts of one user or of all users, or the posts at an address that the app's user entered.
  public let posts: Posts
  private let usersURL: URL
  private let postsURL: URL
  private let environment: FetchEnvironment

  /// - Parameters:
  ///   - usersURL: the URL for the list of users. A user's posts are at `ID/posts` under this URL.
  ///   - postsURL: the URL for all posts.
  ///   - environment: the environment for all fetches.
  ///   - onDrawUsers: a closure that is called whenever the users page changes.
  ///   - onDrawPosts: a closure that is called whenever the posts page changes.
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

  /// Call this method when the users page appears.
  public func viewWillAppear() {
    environment.runtime.requireMain()
    users.viewWillAppear()
  }

  /// Call this method when the visible page disappears.
  public func viewWillDisappear() {
    environment.runtime.requireMain()
    users.viewWillDisappear()
    posts.viewWillDisappear()
  }

  /// Shows the posts of a user, or the posts of all users if `user` is nil.
  public func showPosts(of user: User?) {
    environment.runtime.requireMain()
    showPosts(at: (user.map { usersURL.appending(path: "\($0.id)/posts") } ?? postsURL).absoluteString)
  }

  /// Shows the posts at an address that the user entered. If the address is not a URL, the alert is `invalidURL`.
  public func showPosts(at address: String) {
    environment.runtime.requireMain()
    users.viewWillDisappear()
    posts.viewWillDisappear()
    posts.show(APIService(address, in: environment).resource())
    posts.viewWillAppear()
  }

  /// Returns to the users page.
  public func goBack() {
    environment.runtime.requireMain()
    posts.viewWillDisappear()
    users.viewWillAppear()
  }
}
