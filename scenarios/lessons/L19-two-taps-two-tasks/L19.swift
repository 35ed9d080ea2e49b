public import EventBus
import VirtualTime

/// The lesson's stage: the user starts two searches, one after the other.
public enum L19 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an empty search field.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Searches for this text, and shows the result. Called on main.
    func search(_ text: String)
  }

  static let lesson = Lesson(
    "L19-two-taps-two-tasks", .identity, program: "SearchField", guilty: "screen.show(found)", deviations: 2,
    token: "E1.0:1,1:1.5c0919d5")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let field = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "search cat") { field.search("cat") }
      runtime.user(at: 1000, "search cats") { field.search("cats") }
      return {
        try screen.verify()
        try require(screen.texts == ["cat", "cats"], "the user searched for cat and cats, but saw \(screen.texts)")
        let times = screen.showings.map(\.time)
        try require(times == [.milliseconds(100), .milliseconds(1100)], "the results are not shown on time: \(times)")
        return screen.text
      }
    } act: { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let field = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "search cat") { field.search("cat") }
      runtime.user(at: 1000, "search cats") { field.search("cats") }
      return {
        try screen.verify()
        try require(screen.text == "cats", "the user searched for cats, but the screen shows \(screen.text)")
        return screen.texts.joined(separator: " ")
      }
    }
  }
}
