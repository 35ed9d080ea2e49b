public import EventBus
import VirtualTime

/// The stage of the lesson: a server that is offline at first.
public enum L05 {
  /// What the stage asks of the program.
  public protocol Program: AnyObject, Sendable {
    /// Makes a button that loads nothing yet.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// The user taps. On main.
    func tap()
  }

  static let lesson = Lesson(
    "L05-flag-never-cleared", .sharing, program: "ReloadButton", guilty: "guard case .success", timing: .exact,
    deviations: 0, token: "E1.-.00000000")

  /// Puts a program on the stage.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let button = program.init(runtime: runtime, server: server, screen: screen)
      for time in [0, 50, 1000] { runtime.user(at: time, "tap") { button.tap() } }
      return {
        try screen.verify()
        let count = server.requests.count
        try require(count == 2, "one of three taps comes while loading, and there are \(count) requests")
        try require(screen.texts == ["sunset", "sunset"], "two answers came, and \(screen.texts) were shown")
        return screen.text
      }
    } act: { runtime in
      let server = PictureServer(runtime, answers: [.failure(.offline), .success("")])
      let screen = Screen(runtime)
      let button = program.init(runtime: runtime, server: server, screen: screen)
      for time in [0, 1000, 2000] { runtime.user(at: time, "tap") { button.tap() } }
      return {
        try screen.verify()
        try require(screen.text == "sunset", "the server is well again, and \(screen.text) is shown")
        return screen.texts.joined(separator: " ")
      }
    }
  }
}
