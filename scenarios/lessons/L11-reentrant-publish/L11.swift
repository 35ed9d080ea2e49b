public import EventBus
import VirtualTime

/// The lesson's stage: a handler posts news itself.
public enum L11 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an announcer without handlers.
    init(runtime: any Runtime)

    /// Adds a handler that receives all news from now on. Called on main.
    func subscribe(_ handler: @escaping @Sendable (String) -> Void)

    /// Calls all handlers. Each handler receives the news in posting order. Called on main, possibly inside a handler.
    func post(_ news: String)
  }

  static let lesson = Lesson(
    "L11-reentrant-publish", .delivery, program: "Announcer", guilty: "handler(news)", deviations: 1,
    token: "E1.0:1.daa706bd")

  /// Records the posted news and the news that a page and a list have received.
  private struct Room: Sendable {
    let runtime: VirtualRuntime
    let posted = Watched<[String]>([])
    let heard = Watched<[String]>([])
    let listed = Watched<[String]>([])

    func post(_ news: String, on announcer: any Program) {
      posted.value.append(news)
      announcer.post(news)
    }

    func openPage(on announcer: any Program) {
      announcer.subscribe { news in
        runtime.note("page hears \(news)")
        heard.value.append(news)
      }
    }

    /// Subscribes a list that selects B when A has been deleted.
    func openList(on announcer: any Program) {
      announcer.subscribe { [weak announcer] news in
        listed.value.append(news)
        guard news == "deleted A", let announcer else { return }
        runtime.note("list selects B")
        post("selected B", on: announcer)
      }
    }

    func verify() throws -> String {
      for (name, texts) in [("page", heard.value), ("list", listed.value)] {
        // The handler may have subscribed late.
        for (news, text) in zip(posted.value.suffix(texts.count), texts) {
          try require(news == text, "“\(news)” is next, but the \(name) hears “\(text)”")
        }
      }
      try require(heard.value.count == posted.value.count, "the page has missed some news")
      return heard.value.joined(separator: ", ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (announcer, room) = (program.init(runtime: runtime), Room(runtime: runtime))
      runtime.user(at: 0, "open page") { room.openPage(on: announcer) }
      runtime.user(at: 100, "open list") { room.openList(on: announcer) }
      runtime.user(at: 1000, "delete A") { room.post("deleted A", on: announcer) }
      return {
        try require(
          room.heard.value == ["deleted A", "selected B"],
          "the page must hear “deleted A” and then “selected B”, but hears \(room.heard.value)")
        try require(
          room.listed.value.count == 2, "the list must hear two pieces of news, but hears \(room.listed.value)")
        return try room.verify()
      }
    } act: { runtime in
      let (announcer, room) = (program.init(runtime: runtime), Room(runtime: runtime))
      runtime.user(at: 0, "open page") { room.openPage(on: announcer) }
      _ = runtime.network("network").schedule(after: .milliseconds(100)) {
        runtime.note("rows arrive")
        runtime.main.schedule {
          runtime.note("open list")
          room.openList(on: announcer)
        }
      }
      runtime.user(at: 1000, "delete A") {
        runtime.main.schedule { room.post("added C", on: announcer) }
        room.post("deleted A", on: announcer)
      }
      return { try room.verify() }
    }
  }
}
