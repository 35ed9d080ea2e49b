public import EventBus
import VirtualTime

/// The lesson's stage: two views want the same picture.
public enum L04 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an empty store.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Called on main when a view wants to show the picture on the screen.
    func want(_ picture: String)
  }

  static let lesson = Lesson(
    "L04-one-request-for-two", .sharing, program: "PictureStore", guilty: "state.loading.insert(picture)",
    deviations: 1, token: "E1.0:1.ef540b9a")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let store = program.init(runtime: runtime, server: server, screen: screen)
      for (time, picture) in [(0, "A"), (10, "A"), (20, "B"), (1000, "A")] {
        runtime.user(at: time, "want \(picture)") { store.want(picture) }
      }
      return {
        try require(server.requests == ["A", "B"], "the requests are wrong: \(server.requests)")
        let early = screen.showings.filter { $0.time <= .milliseconds(120) }.map(\.text)
        try require(Set(early) == ["A", "B"], "A and B are wanted, but only \(early) are shown in time")
        try require(screen.text == "A", "A is wanted again, but \(screen.text) is shown")
        return screen.text
      }
    } act: { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let store = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "the list wants A") { store.want("A") }
      runtime.user(at: 1000, "the page wants A") { store.want("A") }
      return {
        try require(server.requests.count == 1, "A is requested \(server.requests.count) times")
        try require(screen.text == "A", "A is wanted, but \(screen.text) is shown")
        return screen.texts.joined(separator: " ")
      }
    }
  }
}
