import VirtualTime

/// The lesson's stage: the user starts two searches, one after the other.
public enum L19 {
  /// The interface that the program implements.
  @MainActor public protocol Program: AnyObject, Sendable {
    /// Creates an empty search field.
    ///
    /// - Parameters:
    ///   - find: Returns what is found for a text.
    ///   - show: Shows what was found.
    init(find: @escaping @Sendable (String) async -> String, show: @escaping @MainActor (String) -> Void)

    /// Searches for this text, and shows the result.
    func search(_ text: String)
  }

  static let lesson = Lesson(
    "L19-two-taps-two-tasks", .identity, program: "SearchField", guilty: "show(found)", isPlain: true, deviations: 2,
    token: "E1.0:1,2:1.abc35be0")

  @MainActor private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ server: PictureServer, _ searches: [(Int, String)]
  ) -> Screen {
    let screen = Screen(runtime) { text in
      server.hasDelivered(text) ? nil : "“\(text)” is shown, but the server has not sent it"
    }
    let field = program.init(find: { await server.picture($0) }, show: { screen.show($0) })
    for (time, text) in searches { runtime.person(at: time, "search \(text)") { field.search(text) } }
    return screen
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(plain: lesson) { runtime, data in
      let names = data.names("cat", "cats")
      let screen = play(program, runtime, PictureServer(runtime, data), [(0, names[0]), (1000, names[1])])
      return {
        try screen.verify(shows: [(data.answer(to: names[0]), 100), (data.answer(to: names[1]), 1100)])
        return screen.text
      }
    } act: { runtime, data in
      let count = data.number(0, 2, or: 2...3)
      let names = data.names(count, shown: ["cat", "cats"])
      let screen = play(
        program, runtime, PictureServer(runtime, data), names.enumerated().map { ($0 * 1000, $1) })
      return {
        try screen.verify()
        let (last, image) = (names[count - 1], data.answer(to: names[count - 1]))
        try require(screen.text == image, "the user searched for \(last), but the screen shows \(screen.text)")
        return screen.texts.joined(separator: " ")
      }
    } further: {
      [
        LessonPlay.Further("a slow search, and one that never ends", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          let server = PictureServer(
            runtime, data, latencies: { .milliseconds($0 == names[1] ? 700 : 100) }, silent: [names[2]])
          let screen = play(
            program, runtime, server,
            [(0, names[0]), (1000, names[1]), (1100, names[3]), (3000, names[2]), (3500, names[0]), (4000, names[1])])
          return {
            try screen.verify(shows: [
              (data.answer(to: names[0]), 100), (data.answer(to: names[3]), 1200), (data.answer(to: names[0]), 3600),
              (data.answer(to: names[1]), 4700),
            ])
            return screen.text
          }
        },
        LessonPlay.Further("a result that arrives while a later one is on its way", plain: .inOrder) { runtime, data in
          let names = data.names("A", "B")
          let server = PictureServer(runtime, data, latencies: { .milliseconds($0 == names[1] ? 400 : 100) })
          let screen = play(program, runtime, server, [(0, names[0]), (50, names[1])])
          return {
            try screen.verify(shows: [(data.answer(to: names[1]), 450)])
            return screen.text
          }
        },
        LessonPlay.Further("a user who returns to the first text", plain: .searched) { runtime, data in
          let names = data.names("A", "B")
          let screen = play(
            program, runtime, PictureServer(runtime, data), [(0, names[0]), (1000, names[1]), (2000, names[0])])
          return {
            try screen.verify()
            let image = data.answer(to: names[0])
            try require(screen.text == image, "the user searched for \(names[0]), but the screen shows \(screen.text)")
            return screen.text
          }
        },
      ]
    }
  }
}
