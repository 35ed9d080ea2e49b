public import EventBus
import VirtualTime

/// The lesson's stage: an answer races with a deadline.
public enum L15 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a loader.
    init(runtime: any Runtime, server: PictureServer)

    /// Calls the completion once, on main, with the picture. If it cannot be loaded, or does not arrive
    /// within two seconds, calls it with nil. After a timeout, the request is not in flight any more.
    func load(_ picture: String, completion: @escaping @Sendable (String?) -> Void)
  }

  static let lesson = Lesson(
    "L15-completed-twice", .delivery, program: "TimedLoader", guilty: "completion(nil)", deviations: 1,
    token: "E1.0:1.c8564e53")

  /// Loads pictures, and shows on one screen for each load what its completion reports.
  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ server: PictureServer,
    _ loads: [(Int, String)]
  ) -> [Screen] {
    let loader = program.init(runtime: runtime, server: server)
    return loads.map { time, picture in
      let screen = Screen(runtime)
      runtime.user(at: time, "load \(picture)") { loader.load(picture) { screen.show($0 ?? data.missing("timeout")) } }
      return screen
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let names = data.names("A", "nowhere")
      let server = PictureServer(runtime, data, silent: [names[1]])
      let screens = play(program, runtime, data, server, names.map { (0, $0) })
      return {
        try screens[0].verify(shows: [(data.answer(to: names[0]), 100)])
        try screens[1].verify(shows: [(data.missing("timeout"), 2000)])
        return screens[1].text
      }
    } act: { runtime, data in
      let (server, count) = (PictureServer(runtime, data), data.number(0, 1, or: 1...2))
      let picture = data.names("A")[0]
      let screens = play(program, runtime, data, server, Array(repeating: (0, picture), count: count))
      return {
        for screen in screens {
          try screen.verify()
          try require(screen.texts.count == 1, "one load completes \(screen.texts.count) times: \(screen.texts)")
        }
        return screens[0].text
      }
    } further: {
      [
        LessonPlay.Further("a picture that is loaded again, one that fails, and two that never arrive", .inOrder) {
          runtime, data in
          let names = data.names("A", "B", "C", "D")
          let server = PictureServer(
            runtime, data, latencies: { .milliseconds($0 == names[3] ? 1999 : 100) }, silent: [names[1]],
            broken: [names[2]])
          let screens = play(
            program, runtime, data, server,
            [
              (0, names[0]), (10, names[0]), (20, names[1]), (30, names[1]), (40, names[2]), (50, names[3]),
              (5000, names[0]),
            ])
          return {
            let due = [
              (data.answer(to: names[0]), 100), (data.answer(to: names[0]), 110), (data.missing("timeout"), 2020),
              (data.missing("timeout"), 2030),
              (data.missing("timeout"), 140), (data.answer(to: names[3]), 2049), (data.answer(to: names[0]), 5100),
            ]
            for (screen, shown) in zip(screens, due) { try screen.verify(shows: [shown]) }
            try require(
              server.underWay == [], "the load has timed out, but its request for \(server.underWay) is still in flight"
            )
            return screens[0].text
          }
        }
      ]
    }
  }
}
