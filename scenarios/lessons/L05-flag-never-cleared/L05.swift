public import EventBus
import VirtualTime

/// The lesson's stage: a server is offline at first.
public enum L05 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a button that loads nothing yet.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Called on main when the user taps the button.
    func tap()
  }

  static let lesson = Lesson(
    "L05-flag-never-cleared", .sharing, program: "ReloadButton", guilty: "guard case .success", timing: .exact,
    deviations: 0, token: "E1.-.00000000")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let button = program.init(runtime: runtime, server: server, screen: screen)
      for time in [0, 50, 1000] { runtime.user(at: time, "tap") { button.tap() } }
      return {
        try screen.verify()
        let count = server.requests.count
        try require(count == 2, "one of three taps comes during a load, but there are \(count) requests")
        try require(screen.texts == ["sunset", "sunset"], "two answers arrived, but \(screen.texts) were shown")
        return screen.text
      }
    } act: { runtime in
      let server = PictureServer(runtime, answers: [.failure(.offline), .success("")])
      let screen = Screen(runtime)
      let button = program.init(runtime: runtime, server: server, screen: screen)
      for time in [0, 1000, 2000] { runtime.user(at: time, "tap") { button.tap() } }
      return {
        try screen.verify()
        try require(screen.text == "sunset", "the server is online again, but \(screen.text) is shown")
        return screen.texts.joined(separator: " ")
      }
    }
  }
}
