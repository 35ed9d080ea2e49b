public import EventBus
import VirtualTime

/// The lesson's stage: a strip of thumbnails closes with an animation.
public enum X1 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a strip that is not visible.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Called on main when the strip becomes visible. The strip shows the thumbnail once it is loaded.
    func appear(_ picture: String)

    /// Called on main when the strip is no longer visible. From then on, the strip shows nothing.
    func disappear()
  }

  static let lesson = Lesson(
    "X1-check-then-act", .views, program: "ThumbnailStrip", guilty: "guard isVisible", deviations: 1,
    token: "E1.1:1.90debaa1")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let strip = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "appear") { strip.appear("A") }
      runtime.user(at: 1000, "disappear") { strip.disappear() }
      runtime.user(at: 2000, "appear") { strip.appear("B") }
      runtime.user(at: 2050, "disappear") { strip.disappear() }
      return {
        try screen.verify()
        try require(screen.texts == ["A"], "only A arrives while the strip is visible, but \(screen.texts) are shown")
        return screen.text
      }
    } act: { runtime in
      let (server, isVisible) = (PictureServer(runtime), Watched(false))
      let screen = Screen(runtime) { _ in isVisible.value ? nil : "the strip changes after it has disappeared" }
      let strip = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "appear") {
        isVisible.value = true
        strip.appear("A")
      }
      runtime.user(at: 1000, "close") {
        // This is the last closure of the animation.
        runtime.main.schedule {
          runtime.note("disappear")
          isVisible.value = false
          strip.disappear()
        }
      }
      return {
        try screen.verify()
        return screen.text
      }
    }
  }
}
