public import EventBus
import VirtualTime

/// The lesson's stage: a handler is unsubscribed while a delivery to it is pending.
public enum L10 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a board without subscribers.
    init(runtime: any Runtime)

    /// Adds a handler that runs on main and receives all news from now on. Called on main.
    func subscribe(_ name: String, handler: @escaping @Sendable (String) -> Void)

    /// Removes a handler. It is never called after this method returns. Called on main.
    func unsubscribe(_ name: String)

    /// Publishes the news. Called on any thread.
    func post(_ news: String)
  }

  static let lesson = Lesson(
    "L10-queued-delivery", .delivery, program: "NewsBoard", guilty: "handler(news)", deviations: 1,
    token: "E1.0:1.0f491029")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (board, screen) = (program.init(runtime: runtime), Screen(runtime))
      runtime.user(at: 0, "subscribe") {
        board.subscribe("list") { screen.show("list: \($0)") }
        board.subscribe("page") { screen.show("page: \($0)") }
      }
      _ = runtime.workers.schedule(after: .seconds(1)) { board.post("rain") }
      runtime.user(at: 2000, "unsubscribe page") { board.unsubscribe("page") }
      _ = runtime.workers.schedule(after: .seconds(3)) { board.post("sun") }
      return {
        try screen.verify()
        try require(
          screen.texts == ["list: rain", "page: rain", "list: sun"],
          "the handlers received the wrong news, or news in the wrong order: \(screen.texts)")
        return screen.text
      }
    } act: { runtime in
      let isThere = Watched(false)
      let board = program.init(runtime: runtime)
      let screen = Screen(runtime) { _ in isThere.value ? nil : "the handler is called after it has unsubscribed" }
      runtime.user(at: 0, "subscribe") {
        isThere.value = true
        board.subscribe("page") { screen.show($0) }
        runtime.main.schedule {
          runtime.note("unsubscribe")
          board.unsubscribe("page")
          isThere.value = false
        }
        runtime.workers.schedule {
          runtime.note("post rain")
          board.post("rain")
        }
      }
      return {
        try screen.verify()
        return screen.texts.joined(separator: " ")
      }
    }
  }
}
