public import EventBus
import VirtualTime

/// The lesson's stage: a user cancels a download.
public enum L13 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a download that has not started.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Starts the download. At the end, the screen shows the picture or "cancelled". Called on main.
    func start(_ picture: String)

    /// Called on main when the user cancels the download.
    func cancel()
  }

  static let lesson = Lesson(
    "L13-cancel-is-a-request", .cancellation, program: "Download", guilty: "screen.show(text)", deviations: 1,
    token: "E1.1:1.8ae58b51")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let server = PictureServer(runtime)
      let screens = [Screen(runtime), Screen(runtime)]
      let downloads = screens.map { program.init(runtime: runtime, server: server, screen: $0) }
      runtime.user(at: 0, "start A") { downloads[0].start("A") }
      runtime.user(at: 1000, "cancel A") { downloads[0].cancel() }
      runtime.user(at: 2000, "start B") { downloads[1].start("B") }
      return {
        try require(screens.map(\.text) == ["A", "B"], "A and B have arrived, but \(screens.map(\.text)) are shown")
        let times = screens.compactMap { $0.showings.first?.time }
        try require(times == [.milliseconds(100), .milliseconds(2100)], "A and B are not shown on time: \(times)")
        return screens[1].text
      }
    } act: { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let download = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "start A") { download.start("A") }
      runtime.user(at: 1000, "cancel") { download.cancel() }
      return {
        try require(screen.texts.count == 1, "one download ends \(screen.texts.count) times: \(screen.texts)")
        return screen.text
      }
    }
  }
}
