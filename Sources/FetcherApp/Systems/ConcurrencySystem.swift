import EventBus
import FetcherModel
import Foundation
import OriginServer
import ScenarioFormat

/// iOS Concurrency: one generic service for JSON, with a completion and with async, and its five errors.
enum ConcurrencySystem {
  static let example = SystemExample(
    name: "ios-concurrency", title: "iOS Concurrency",
    summary: "users and posts by one generic service; its five errors",
    run: run)

  private static func run(_ empty: SystemStage) async throws {
    let stage = empty.serving([
      OriginRoute(path: "/users", json(users)), OriginRoute(path: "/posts", json(posts)),
      OriginRoute(path: "/empty", OriginResponse()),
    ])
    try await tellUsers(stage)
    try await tellPosts(stage)
    for (name, address) in try failures(stage) { await tellFailure(name, address, stage) }
  }

  /// By completion, as a `Result`.
  private static func tellUsers(_ stage: SystemStage) async throws {
    let service = APIService(stage.address("/users"), in: stage.environment)
    let users = try await stage.attempt("the list of users", at: "/users") {
      let result = await withCheckedContinuation { continuation in
        service.getJSON([User].self) { continuation.resume(returning: $0) }
      }
      return try result.get()
    }
    stage.say("users", "\(users.count) users, by completion")
    for user in users { stage.say("", "\(user.id)  \(user.name), \(user.username), \(user.email)") }
  }

  /// By async and await.
  private static func tellPosts(_ stage: SystemStage) async throws {
    let service = APIService(stage.address("/posts"), in: stage.environment)
    let posts = try await stage.attempt("the list of posts", at: "/posts") {
      try await service.getJSON([Post].self)
    }
    stage.say("posts", "\(posts.count) posts, by async")
    for post in posts { stage.say("", "\(post.id)  \(post.title), by user \(post.userId)") }
  }

  /// An address for each of the five errors.
  private static func failures(_ stage: SystemStage) throws -> [(name: String, address: String)] {
    let closed = try OriginServer(content: OriginContent())
    let refused = closed.baseURL.absoluteString
    closed.stop()
    return [
      ("no URL", "users"), ("a missing page", stage.address("/missing")), ("a closed port", refused),
      ("no bytes", stage.address("/empty")), ("posts taken for users", stage.address("/posts")),
    ]
  }

  private static func tellFailure(_ name: String, _ address: String, _ stage: SystemStage) async {
    do throws(APIError) {
      _ = try await APIService(address, in: stage.environment).getJSON([User].self)
    } catch {
      stage.say("wrong", "\(name): \(error)", .red)
    }
  }

  private static func json(_ text: String) -> OriginResponse {
    OriginResponse(headers: [("Content-Type", "application/json")], body: .text(text))
  }

  private static let users = """
    [{"id": 1, "name": "Ada Quill", "username": "ada", "email": "ada@example.org", "phone": "none"},
     {"id": 2, "name": "Ben Moor", "username": "ben", "email": "ben@example.org"},
     {"id": 3, "name": "Cleo Park", "username": "cleo", "email": "cleo@example.org"}]
    """

  private static let posts = """
    [{"userId": 1, "id": 1, "title": "On queues", "body": "First in, first out."},
     {"userId": 1, "id": 2, "title": "On locks", "body": "Never while calling others."},
     {"userId": 3, "id": 3, "title": "On waiting", "body": "For events, not for time."}]
    """
}
