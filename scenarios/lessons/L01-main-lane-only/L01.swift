public import EventBus
import VirtualTime

/// The lesson's stage: a view shows one picture from the cache and one from the network.
public enum L01 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a view whose cache contains these pictures.
    init(runtime: any Runtime, server: PictureServer, screen: Screen, cached: Set<String>)

    /// Called on main when the user selects a picture.
    func select(_ picture: String)
  }

  static let lesson = Lesson(
    "L01-main-lane-only", .views, program: "PhotoView", guilty: "screen.show(image)", deviations: 0,
    token: "E1.-.00000000")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let view = program.init(runtime: runtime, server: server, screen: screen, cached: ["A", "B"])
      runtime.user(at: 0, "select A") { view.select("A") }
      runtime.user(at: 1000, "select B") { view.select("B") }
      return {
        try screen.verify()
        try require(server.requests == [], "\(server.requests) are requested although they are in the cache")
        let times = screen.showings.map(\.time)
        try require(times == [.zero, .seconds(1)], "A and B are in the cache, but are not shown at once: \(times)")
        return screen.text
      }
    } act: { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let view = program.init(runtime: runtime, server: server, screen: screen, cached: ["A"])
      runtime.user(at: 0, "select A") { view.select("A") }
      runtime.user(at: 1000, "select C") { view.select("C") }
      return {
        try screen.verify()
        try require(screen.text == "C", "C is selected, but \(screen.text) is shown")
        return screen.text
      }
    }
  }
}
