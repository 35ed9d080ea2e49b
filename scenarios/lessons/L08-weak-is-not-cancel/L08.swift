public import EventBus
import VirtualTime

/// The lesson's stage: a row scrolls away while its picture is loading.
public enum L08 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a row that does not load anything yet.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Makes the row show this picture from now on. Called on main.
    func show(_ picture: String)
  }

  static let lesson = Lesson(
    "L08-weak-is-not-cancel", .cancellation, program: "PhotoRow", guilty: "server.fetch(picture)", deviations: 1,
    token: "E1.2:1.bc4e9fb0")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let row = Watched<(any Program)?>(program.init(runtime: runtime, server: server, screen: screen))
      runtime.user(at: 0, "show A") { row.value?.show("A") }
      runtime.user(at: 1000, "show B") { row.value?.show("B") }
      runtime.user(at: 2000, "row scrolls away") { row.value = nil }
      return {
        try require(screen.texts == ["A", "B"], "A and B were wanted, but \(screen.texts) were shown")
        let times = screen.showings.map(\.time)
        try require(times == [.milliseconds(100), .milliseconds(1100)], "A and B are not shown on time: \(times)")
        return screen.text
      }
    } act: { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let row = Watched<(any Program)?>(program.init(runtime: runtime, server: server, screen: screen))
      runtime.user(at: 0, "show A") { row.value?.show("A") }
      runtime.user(at: 1000, "show B") { row.value?.show("B") }
      runtime.user(at: 2000, "row scrolls away") {
        row.value = nil
        server.nothingIsWanted()
        runtime.note("in flight: \(server.inVain.joined(separator: ", "))")
      }
      return {
        try require(server.inVain == [], "the row is gone, but \(server.inVain) is still loading")
        return screen.texts.joined(separator: " ")
      }
    }
  }
}
