public import EventBus
import VirtualTime

/// The lesson's stage: a view shows one picture from the cache and one from the network.
public enum L01 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a view whose cache contains the images of these pictures.
    init(runtime: any Runtime, server: PictureServer, screen: Screen, cached: [String: String])

    /// Called on main when the user selects a picture. Shows its image, or “no picture” if it cannot be loaded.
    func select(_ picture: String)
  }

  static let lesson = Lesson(
    "L01-main-lane-only", .views, program: "PhotoView", guilty: "screen.show(image", deviations: 0,
    token: "E1.-.00000000")

  private static func make(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, cached: [String],
    silent: Set<String> = [], broken: Set<String> = []
  ) -> (view: any Program, server: PictureServer, screen: Screen) {
    let (server, screen) = (PictureServer(runtime, data, silent: silent, broken: broken), Screen(runtime))
    let images = Dictionary(uniqueKeysWithValues: cached.map { ($0, data.answer(to: $0)) })
    return (program.init(runtime: runtime, server: server, screen: screen, cached: images), server, screen)
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let pictures = data.names("A", "B")
      let (view, server, screen) = make(program, runtime, data, cached: pictures)
      for (index, picture) in pictures.enumerated() {
        runtime.user(at: index * 1000, "select \(picture)") { view.select(picture) }
      }
      return {
        try screen.verify(shows: [(data.answer(to: pictures[0]), 0), (data.answer(to: pictures[1]), 1000)])
        try require(server.requests == [], "\(server.requests) are requested although they are in the cache")
        return screen.text
      }
    } act: { runtime, data in
      let pictures = data.names("A", "C")
      let (view, _, screen) = make(program, runtime, data, cached: [pictures[0]])
      for (index, picture) in pictures.enumerated() {
        runtime.user(at: index * 1000, "select \(picture)") { view.select(picture) }
      }
      let image = data.answer(to: pictures[1])
      return {
        try screen.verify()
        try require(screen.text == image, "\(pictures[1]) is selected, but \(screen.text) is shown")
        return screen.text
      }
    } further: {
      [
        LessonPlay.Further("pictures that never arrive or cannot be loaded", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C", "D")
          let (view, server, screen) = make(
            program, runtime, data, cached: [names[3]], silent: [names[0]], broken: [names[1]])
          for (index, picture) in names.enumerated() {
            runtime.user(at: index * 1000, "select \(picture)") { view.select(picture) }
          }
          runtime.user(at: 5000, "select \(names[2]) again") { view.select(names[2]) }
          return {
            let image = data.answer(to: names[2])
            try screen.verify(shows: [
              ("no picture", 1100), (image, 2100), (data.answer(to: names[3]), 3000), (image, 5100),
            ])
            try server.verify(requests: [names[0], names[1], names[2], names[2]])
            return screen.text
          }
        }
      ]
    }
  }
}
