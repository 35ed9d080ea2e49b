public import EventBus
import VirtualTime

/// The lesson's stage, where a user scrolls while a picture loads.
public enum L02 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a list without a selection.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Loads this picture and shows it. Called on main.
    func select(_ picture: String)
  }

  static let lesson = Lesson(
    "L02-blocking-the-main-lane", .pools, program: "FavouriteList", guilty: "isHere.wait()", timing: .exact,
    deviations: 0, token: "E1.-.00000000")

  /// The time from one frame to the next at 60 frames per second.
  private static let frame = Duration.milliseconds(16)

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, latency: Duration
  ) -> () throws -> String {
    let (server, screen) = (PictureServer(runtime, latency: latency), Screen(runtime))
    let list = program.init(runtime: runtime, server: server, screen: screen)
    runtime.user(at: 0, "select A") { list.select("A") }
    let scroll = Duration.milliseconds(200)
    _ = runtime.user.schedule(after: scroll) {
      let late = runtime.now - scroll
      runtime.note(late > .zero ? "scroll, \(late) late" : "scroll")
      screen.show("row 2")
    }
    return {
      try screen.verify()
      let stall = runtime.longestMainWait
      try require(stall <= frame, "main is blocked for \(stall), but a frame lasts \(frame)")
      try require(screen.texts.sorted() == ["A", "row 2"], "A and row 2 are expected, but \(screen.texts) are shown")
      let times = screen.showings.sorted { $0.text < $1.text }.map(\.time)
      try require(times == [latency, scroll], "A and row 2 are not shown on time: \(times)")
      return screen.texts.joined(separator: ", ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, latency: .milliseconds(5))
    } act: { runtime in
      play(program, runtime, latency: .milliseconds(1400))
    }
  }
}
