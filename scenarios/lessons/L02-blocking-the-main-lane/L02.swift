public import EventBus
import VirtualTime

/// The lesson's stage, where a user scrolls while a picture loads.
public enum L02 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a list without a selection.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Loads this picture and shows it. Called on main. Blocks no thread.
    func select(_ picture: String)
  }

  static let lesson = Lesson(
    "L02-blocking-the-main-lane", .pools, program: "FavoriteList", guilty: "isHere.wait()", timing: .exact,
    deviations: 0, token: "E1.-.00000000")

  /// The time from one frame to the next at 60 frames per second.
  private static let frame = Duration.milliseconds(16)

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, latency: Int, mayWait: Bool = true
  ) -> () throws -> String {
    let server = PictureServer(runtime, data, latency: .milliseconds(latency))
    let screen = Screen(runtime)
    let list = program.init(runtime: runtime, server: server, screen: screen)
    let picture = data.names("A")[0]
    runtime.user(at: 0, "select \(picture)") { list.select(picture) }
    let scroll = data.number(1, 200, or: 150...900)
    _ = runtime.user.schedule(after: .milliseconds(scroll)) {
      let late = runtime.now - .milliseconds(scroll)
      runtime.note(late > .zero ? "scroll, \(late) late" : "scroll")
      screen.show("row 2")
    }
    return {
      let stall = runtime.longestMainWait
      try require(stall <= frame, "main is blocked for \(stall), but a frame lasts \(frame)")
      try require(
        mayWait || runtime.waits == 0,
        "a thread is blocked until the answer arrives: the closure waits there instead of on main")
      try screen.verify(shows: [(data.answer(to: picture), latency), ("row 2", scroll)])
      return screen.texts.joined(separator: ", ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      play(program, runtime, data, latency: 5, mayWait: data.isShown)
    } act: { runtime, data in
      play(program, runtime, data, latency: data.number(0, 1400, or: 1000...3000), mayWait: data.isShown)
    } further: {
      [
        LessonPlay.Further("a picture that never arrives", .inOrder) { runtime, data in
          let pictures = data.names("A", "B")
          let (server, screen) = (PictureServer(runtime, data, silent: [pictures[0]]), Screen(runtime))
          let list = program.init(runtime: runtime, server: server, screen: screen)
          for (index, picture) in pictures.enumerated() {
            runtime.user(at: index * 50, "select \(picture)") { list.select(picture) }
          }
          return {
            try screen.verify(shows: [(data.answer(to: pictures[1]), 150)])
            return screen.text
          }
        }
      ]
    }
  }
}
