public import EventBus
import VirtualTime

/// The lesson's stage: two rows of a list want the same thumbnail.
public enum L18 {
  /// The interface that the program implements.
  public protocol Program: Actor {
    /// Creates an empty cache.
    init(runtime: any Runtime, server: PictureServer)

    /// Returns the thumbnail, from the cache or from the server.
    func thumbnail(_ picture: String) async -> String?
  }

  static let lesson = Lesson(
    "L18-actor-reentrancy", .tasks, program: "ThumbnailCache", guilty: "await server.picture", deviations: 1,
    token: "E1.0:1.ba471d3e")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let cache = program.init(runtime: runtime, server: server)
      for (time, picture) in [(0, "A"), (10, "B"), (1000, "A")] {
        runtime.user(at: time, "row \(picture)") {
          _ = runtime.task {
            let text = await cache.thumbnail(picture) ?? "nothing"
            runtime.main.schedule { screen.show(text) }
          }
        }
      }
      return {
        try require(server.requests == ["A", "B"], "the requests must be A and B, but are \(server.requests)")
        try require(screen.texts == ["A", "B", "A"], "A, B, and A are wanted, but \(screen.texts) are shown")
        let times = screen.showings.map(\.time)
        try require(
          times == [.milliseconds(100), .milliseconds(110), .seconds(1)], "the thumbnails are not on time: \(times)")
        return screen.text
      }
    } act: { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let cache = program.init(runtime: runtime, server: server)
      for (time, row) in [(0, 1), (1000, 2)] {
        runtime.user(at: time, "row \(row) wants A") {
          _ = runtime.task {
            let text = await cache.thumbnail("A") ?? "nothing"
            runtime.main.schedule { screen.show(text) }
          }
        }
      }
      return {
        try require(server.requests.count == 1, "A is requested \(server.requests.count) times")
        try require(screen.texts == ["A", "A"], "two rows want A, but \(screen.texts) are shown")
        return screen.text
      }
    }
  }
}
