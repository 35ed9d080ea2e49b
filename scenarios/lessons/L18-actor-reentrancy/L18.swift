import VirtualTime

/// The lesson's stage: two rows of a list want the same thumbnail.
public enum L18 {
  /// The interface that the program implements.
  public protocol Program: Actor {
    /// Creates an empty cache.
    init(fetch: @escaping @Sendable (String) async -> String)

    /// Returns the thumbnail, from the cache or from `fetch`. Requests each picture once, and several pictures at a time.
    func thumbnail(_ picture: String) async -> String
  }

  static let lesson = Lesson(
    "L18-actor-reentrancy", .tasks, program: "ThumbnailCache", guilty: "await fetch(picture)", isPlain: true,
    deviations: 1, token: "E1.0:1.833c2b97")

  /// Shows pictures in the rows of a list, from one cache.
  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ server: PictureServer,
    _ rows: [(time: Int, picture: String)]
  ) -> Screen {
    let screen = Screen(runtime)
    let cache = program.init { await server.picture($0) }
    for (number, (time, picture)) in zip(1..., rows) {
      runtime.person(at: time, "row \(number) wants \(picture)") {
        Task(name: "row \(number)") { screen.show(await cache.thumbnail(picture)) }
      }
    }
    return screen
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      let (server, names) = (PictureServer(runtime, data), data.names("A", "B"))
      let rows = [(0, names[0]), (10, names[1]), (1000, names[0])]
      let screen = play(program, runtime, server, rows)
      return {
        try server.verify(requests: names)
        let images = names.map(data.answer)
        try screen.verify(shows: [(images[0], 100), (images[1], 110), (images[0], 1000)])
        return screen.text
      }
    } act: { runtime, data in
      let (server, picture) = (PictureServer(runtime, data), data.names("A")[0])
      let count = data.number(0, 2, or: 2...3)
      let screen = play(
        program, runtime, server, (0..<count).map { ($0 * 1000, picture) })
      return {
        try require(server.requests.count == 1, "\(picture) is requested \(server.requests.count) times")
        let images = Array(repeating: data.answer(to: picture), count: count)
        try require(screen.texts == images, "\(count) rows want \(images[0]), but \(screen.texts) are shown")
        return screen.text
      }
    } further: {
      [
        LessonPlay.Further("a picture that never arrives, and rows that return", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B", "C")
          let server = PictureServer(runtime, data, silent: [names[0]])
          let rows = [(0, 0), (10, 1), (20, 1), (30, 0), (40, 2), (50, 1), (2000, 2), (3000, 1)]
          let screen = play(program, runtime, server, rows.map { ($0, names[$1]) })
          return {
            try server.verify(requests: names)
            let images = names.map(data.answer)
            try screen.verify(shows: [
              (images[1], 110), (images[1], 110), (images[2], 140), (images[1], 110), (images[2], 2000),
              (images[1], 3000),
            ])
            return screen.text
          }
        }
      ]
    }
  }
}
