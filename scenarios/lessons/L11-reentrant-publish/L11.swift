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
    let announcer: any Program
    /// The news that the list posts when it hears other news.
    let replies: [String: [String]]
    let posted = Watched<[String]>([])
    let heard = Watched<[String]>([])
    let listed = Watched<[String]>([])

    func post(_ news: String) {
      posted.value.append(news)
      announcer.post(news)
    }

    func openPage() {
      announcer.subscribe { news in
        runtime.note("page hears \(news)")
        heard.value.append(news)
      }
    }

    /// Subscribes a list that selects the next row when one has been deleted.
    func openList() {
      announcer.subscribe { news in
        listed.value.append(news)
        for reply in replies[news] ?? [] {
          runtime.note("list selects \(reply.split(separator: " ").last ?? "")")
          post(reply)
        }
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

  private static func names(_ data: RunData) -> [String] {
    let names = data.names("A", "B", "C")
    return ["deleted \(names[0])", "selected \(names[1])", "added \(names[2])"]
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let names = names(data)
      let room = Room(runtime: runtime, announcer: program.init(runtime: runtime), replies: [names[0]: [names[1]]])
      runtime.user(at: 0, "open page") { room.openPage() }
      runtime.user(at: 100, "open list") { room.openList() }
      runtime.user(at: 1000, "delete \(names[0].dropFirst(8))") { room.post(names[0]) }
      return {
        try require(
          room.heard.value == [names[0], names[1]],
          "the page must hear “\(names[0])” and then “\(names[1])”, but hears \(room.heard.value)")
        try require(
          room.listed.value.count == 2, "the list must hear two pieces of news, but hears \(room.listed.value)")
        return try room.verify()
      }
    } act: { runtime, data in
      let names = names(data)
      let room = Room(runtime: runtime, announcer: program.init(runtime: runtime), replies: [names[0]: [names[1]]])
      runtime.user(at: 0, "open page") { room.openPage() }
      _ = runtime.network("network").schedule(after: .milliseconds(100)) {
        runtime.note("rows arrive")
        runtime.main.schedule {
          runtime.note("open list")
          room.openList()
        }
      }
      runtime.user(at: 1000, "delete \(names[0].dropFirst(8))") {
        runtime.main.schedule { room.post(names[2]) }
        room.post(names[0])
      }
      return { try room.verify() }
    } further: {
      [
        LessonPlay.Further("two handlers that answer each other's news", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D", "E")
          let room = Room(
            runtime: runtime, announcer: program.init(runtime: runtime),
            replies: [names[0]: [names[1], names[2]], names[1]: [names[3]]])
          runtime.user(at: 0, "open") {
            room.openList()
            room.openPage()
          }
          runtime.user(at: 1000, "post \(names[0])") { room.post(names[0]) }
          runtime.user(at: 2000, "post \(names[4])") { room.post(names[4]) }
          return {
            try require(
              room.heard.value == names && room.listed.value == names,
              "the page and the list must hear \(names), but hear \(room.heard.value) and \(room.listed.value)")
            return try room.verify()
          }
        }
      ]
    }
  }
}
