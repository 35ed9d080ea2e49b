public import EventBus
import VirtualTime

/// The lesson's stage: two views want the same picture.
public enum L04 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates an empty store.
    init(runtime: any Runtime, server: PictureServer)

    /// Called on main when a view wants to show the picture. Calls `show` on main, once, with the image, or with nil if
    /// it cannot be loaded. Such a picture is requested again when a view wants it again.
    func want(_ picture: String, show: @escaping @Sendable (String?) -> Void)
  }

  static let lesson = Lesson(
    "L04-one-request-for-two", .sharing, program: "PictureStore", guilty: "state.loading.insert(picture)",
    deviations: 1, token: "E1.0:1.ef540b9a")

  /// Creates a store, and views that want pictures at some times.
  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ server: PictureServer,
    _ wants: [(time: Int, name: String, picture: String)]
  ) -> Screen {
    let screen = Screen(runtime)
    let store = program.init(runtime: runtime, server: server)
    for (time, name, picture) in wants {
      runtime.user(at: time, name) { store.want(picture) { screen.show($0 ?? data.missing("no picture")) } }
    }
    return screen
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let (server, names) = (PictureServer(runtime, data), data.names("A", "B"))
      let wants = [(0, names[0]), (10, names[0]), (20, names[1]), (1000, names[0])]
      let screen = play(program, runtime, data, server, wants.map { ($0, "want \($1)", $1) })
      let images = names.map(data.answer)
      return {
        try require(server.requests == names, "the requests are wrong: \(server.requests)")
        try screen.verify(shows: [(images[0], 100), (images[0], 100), (images[1], 120), (images[0], 1000)])
        return screen.text
      }
    } act: { runtime, data in
      let (server, names) = (PictureServer(runtime, data), data.names("A"))
      let count = data.number(0, 2, or: 2...3)
      let wants = ["list", "page", "map"].prefix(count).enumerated().map { index, view in
        (index * 1000, "the \(view) wants \(names[0])", names[0])
      }
      let screen = play(program, runtime, data, server, wants)
      return {
        try require(server.requests.count == 1, "\(names[0]) is requested \(server.requests.count) times")
        let images = Array(repeating: data.answer(to: names[0]), count: count)
        try require(screen.texts == images, "\(count) views want \(names[0]), but they are shown \(screen.texts)")
        return screen.texts.joined(separator: " ")
      }
    } further: {
      [
        LessonPlay.Further("a picture that never arrives and one that fails at first", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C")
          // The first two requests are for these pictures.
          let server = PictureServer(
            runtime, data, silent: [names[0]], answers: [.success(""), .failure(.offline)])
          let wants = [
            (0, names[0]), (10, names[1]), (20, names[1]), (30, names[2]), (1000, names[1]), (2000, names[1]),
          ]
          let screen = play(program, runtime, data, server, wants.map { ($0, "want \($1)", $1) })
          return {
            try require(
              server.requests == [names[0], names[1], names[2], names[1]],
              "a picture that failed must be requested again, and no other one, but the requests are \(server.requests)"
            )
            let image = data.answer(to: names[1])
            try screen.verify(shows: [
              (data.missing("no picture"), 110), (data.missing("no picture"), 110), (data.answer(to: names[2]), 130),
              (image, 1100), (image, 2000),
            ])
            return screen.text
          }
        }
      ]
    }
  }
}
