import EventBus
import FetcherModel
import FetcherViews
import Foundation
import PlainText
import ScenarioFormat
import TutorialApps

/// The program modeled on the iOS Concurrency tutorial. It shows users, the posts of one user or of all
/// users, and comments, which are decoded differently. It reports errors as alerts.
final class UserPages: SystemPages {
  nonisolated static let controls = ["reload", "dismiss", "user", "all-posts", "address", "comments", "back"]
  nonisolated static let steps = [
    "appear": ["users"], "disappear": views, "tap": views, "switch": [], "send": [],
  ]
  nonisolated private static let views = ["users", "posts", "comments"]

  /// A comment on a post. In JSON, a comment's keys and date have a different format from these properties.
  private struct Comment: Decodable, Equatable, Sendable {
    let postId: Int
    let createdAt: Date
  }

  private typealias Comments = FetchedListViewController<[Comment], APIError>

  private let page: UsersViewController
  private let comments: Comments

  init(_ stage: PageStage) throws(ServiceError) {
    let commentsURL = try stage.settings.url("CommentsUrl").absoluteString
    let environment = stage.environment
    page = UsersViewController(
      users: try stage.settings.url("UsersUrl"), posts: try stage.settings.url("PostsUrl"), in: environment
    ) { screen in
      stage.draw("users", screen) { "\($0.count) users: " + $0.map(\.name).joined(separator: ", ") }
    } onDrawPosts: { screen in
      stage.draw("posts", screen) { posts in
        let authors = Set(posts.map(\.userId)).count
        return "\(posts.count) posts of \(authors.counted("user"))"
      }
    }
    comments = Comments(
      APIService(commentsURL, in: environment)
        .resource(dateDecodingStrategy: .iso8601, keyDecodingStrategy: .convertFromSnakeCase),
      in: environment, name: "comments",
      onDraw: { screen in
        stage.draw("comments", screen) { comments in
          let dates = comments.map { $0.createdAt.formatted(.iso8601.year().month().day()) }
          return "\(comments.count) comments: \(dates.joined(separator: ", "))"
        }
      })
  }

  func perform(_ action: Scenario.Action) -> Bool {
    switch action {
    case .appear:
      comments.viewWillDisappear()
      page.goBack()
    case .disappear(let view): if visible[view] == true { close() }
    case .tap("reload", let view): reload(view)
    case .tap("dismiss", let view): dismiss(view)
    case .tap("all-posts", _): page.showPosts(of: nil)
    case .tap(let control, _) where control.hasPrefix("address "):
      page.showPosts(at: String(control.dropFirst("address ".count)))
    case .tap("comments", _):
      page.viewWillDisappear()
      comments.viewWillAppear()
    case .tap("back", _):
      comments.viewWillDisappear()
      page.goBack()
    case .tap(let control, _):
      let id = Int(control.drop { $0 != " " }.dropFirst())
      guard let user = page.users.screen.list?.first(where: { $0.id == id }) else { return false }
      page.showPosts(of: user)
    default: break
    }
    return true
  }

  private func reload(_ view: String) {
    switch view {
    case "posts": page.posts.reload()
    case "comments": comments.reload()
    default: page.users.reload()
    }
  }

  private func dismiss(_ view: String) {
    switch view {
    case "posts": page.posts.dismissAlert()
    case "comments": comments.dismissAlert()
    default: page.users.dismissAlert()
    }
  }

  var isIdle: Bool {
    !page.users.isLoading && !page.posts.isLoading && !comments.isLoading
  }

  var visible: [String: Bool] {
    ["users": page.users.isVisible, "posts": page.posts.isVisible, "comments": comments.isVisible]
  }

  var screens: [ProgramScreen] {
    var users = ProgramScreen("users", page.users, isVisible: page.users.isVisible) { users in
      users.map { ProgramScreen.Row("\($0.id)", title: $0.name, detail: $0.email) }
    }
    var posts = ProgramScreen("posts", page.posts, isVisible: page.posts.isVisible) { posts in
      posts.map { ProgramScreen.Row("\($0.id)", title: $0.title, detail: $0.body) }
    }
    var comments = ProgramScreen("comments", self.comments, isVisible: self.comments.isVisible) { comments in
      comments.map {
        let day = $0.createdAt.formatted(.iso8601.year().month().day())
        return ProgramScreen.Row("\($0.postId)", title: "A comment on post \($0.postId)", detail: day)
      }
    }
    (users.title, posts.title, comments.title) = ("Users", "Posts", "Comments")
    return [users, posts, comments]
  }

  var images: [String: IFImage] { [:] }

  func close() {
    page.viewWillDisappear()
    comments.viewWillDisappear()
  }
}
