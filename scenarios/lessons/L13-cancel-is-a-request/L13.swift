public import EventBus
import VirtualTime

/// The lesson's stage: a user cancels a download.
public enum L13 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a download that has not started.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Starts the download. At the end, the screen shows the picture, "failed" or "cancelled". Called on main.
    func start(_ picture: String)

    /// Called on main when the user cancels the download. Ends the request, and has no effect after the end.
    func cancel()
  }

  static let lesson = Lesson(
    "L13-cancel-is-a-request", .cancellation, program: "Download", guilty: "screen.show(text)", deviations: 1,
    token: "E1.1:1.8ae58b51")

  /// Starts downloads with one program each, and cancels some of them.
  ///
  /// - Parameter times: For each picture, when its download starts and, if it does, when the user cancels it.
  private static func playInOrder(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ server: PictureServer,
    _ times: [(picture: String, starts: Int, cancels: Int?)]
  ) -> (screens: [Screen], late: Watched<[String]>) {
    let late = Watched<[String]>([])
    let screens = times.map { picture, starts, cancels in
      let screen = Screen(runtime)
      let download = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: starts, "start \(picture)") { download.start(picture) }
      if let cancels {
        runtime.user(at: cancels, "cancel \(picture)") {
          download.cancel()
          if server.underWay.contains(picture) { late.value.append(picture) }
        }
      }
      return screen
    }
    return (screens, late)
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let (server, names) = (PictureServer(runtime, data), data.names("A", "B"))
      let (screens, _) = playInOrder(program, runtime, server, [(names[0], 0, 1000), (names[1], 2000, nil)])
      return {
        try screens[0].verify(shows: [(data.answer(to: names[0]), 100)])
        try screens[1].verify(shows: [(data.answer(to: names[1]), 2100)])
        return screens[1].text
      }
    } act: { runtime, data in
      let (server, screen, picture) = (PictureServer(runtime, data), Screen(runtime), data.names("A")[0])
      let download = program.init(runtime: runtime, server: server, screen: screen)
      let isLate = Watched(false)
      runtime.user(at: 0, "start \(picture)") { download.start(picture) }
      runtime.user(at: 1000, "cancel") {
        download.cancel()
        isLate.value = !server.underWay.isEmpty
      }
      return {
        try require(screen.texts.count == 1, "one download ends \(screen.texts.count) times: \(screen.texts)")
        try require(!isLate.value, "the user has cancelled the download, but its request is still in flight")
        return screen.text
      }
    } further: {
      [
        LessonPlay.Further("a download that fails and one that is cancelled early", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          let server = PictureServer(runtime, data, silent: [names[3]], broken: [names[1]])
          let (screens, late) = playInOrder(
            program, runtime, server,
            [(names[0], 0, 50), (names[1], 1000, nil), (names[2], 2000, 2500), (names[3], 3000, 8000)])
          return {
            try require(
              late.value == [], "the user has cancelled, but the requests for \(late.value) are still in flight")
            let due = [("cancelled", 50), ("failed", 1100), (data.answer(to: names[2]), 2100), ("cancelled", 8000)]
            for (screen, shown) in zip(screens, due) { try screen.verify(shows: [shown]) }
            return screens[1].text
          }
        }
      ]
    }
  }
}
