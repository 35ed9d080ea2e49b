public import EventBus
import VirtualTime

/// The lesson's stage: a view closes with an animation while its picture is loading.
public enum L06 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a view that is not on the screen yet. Each view appears and disappears at most once.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Called on main when the view appears. Shows the picture once it has arrived, if the view is still visible.
    func appear(_ picture: String)

    /// Called on main when the view disappears.
    func disappear()
  }

  static let lesson = Lesson(
    "L06-after-disappear", .views, program: "DetailView", guilty: "screen.show(image)", deviations: 1,
    token: "E1.0:1.daa706bd")

  /// - Parameter times: For each picture, when the view appears with it and, if it does, when it disappears.
  private static func playInOrder(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ server: PictureServer,
    _ times: [(picture: String, appears: Int, disappears: Int?)]
  ) -> Screen {
    let screen = Screen(runtime)
    for (picture, appears, disappears) in times {
      let view = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: appears, "appear \(picture)") { view.appear(picture) }
      if let disappears { runtime.user(at: disappears, "disappear") { view.disappear() } }
    }
    return screen
  }

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ pictures: [String]
  ) -> () throws -> String {
    let server = PictureServer(runtime, data)
    let screens = pictures.enumerated().map { index, picture in
      let isVisible = Watched(false)
      let screen = Screen(runtime) { text in
        if !isVisible.value { return "the view changes after it has disappeared" }
        return server.hasDelivered(text) ? nil : "“\(text)” is shown, but the server has not sent it"
      }
      let view = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: index * 2000, "appear \(picture)") {
        isVisible.value = true
        view.appear(picture)
      }
      runtime.user(at: index * 2000 + 1000, "close") {
        // This is the last closure of the animation.
        runtime.main.schedule {
          runtime.note("disappear")
          view.disappear()
          isVisible.value = false
        }
      }
      return screen
    }
    return {
      for screen in screens { try screen.verify() }
      return screens.flatMap(\.texts).joined(separator: " ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let names = data.names("A", "B")
      let screen = playInOrder(
        program, runtime, PictureServer(runtime, data), [(names[0], 0, 1000), (names[1], 2000, nil)])
      return {
        try screen.verify(shows: [(data.answer(to: names[0]), 100), (data.answer(to: names[1]), 2100)])
        return screen.text
      }
    } act: { runtime, data in
      play(program, runtime, data, data.names("A"))
    } further: {
      [
        LessonPlay.Further("a view that disappears early, and one without a picture", .inOrder) {
          runtime, data in
          let names = data.names("A", "B", "C", "D", "E")
          let server = PictureServer(runtime, data, silent: [names[2]], broken: [names[3]])
          let screen = playInOrder(
            program, runtime, server,
            [
              (names[0], 0, 1000), (names[1], 2000, 2050), (names[2], 3000, 3500), (names[3], 4000, 4500),
              (names[4], 5000, 5050), (names[1], 6000, 6500), (names[0], 7000, nil),
            ])
          return {
            try screen.verify(shows: [
              (data.answer(to: names[0]), 100), (data.answer(to: names[1]), 6100), (data.answer(to: names[0]), 7100),
            ])
            return screen.text
          }
        },
        LessonPlay.Further("two views, one after the other", .searched) { runtime, data in
          play(program, runtime, data, data.names("A", "B"))
        },
      ]
    }
  }
}
