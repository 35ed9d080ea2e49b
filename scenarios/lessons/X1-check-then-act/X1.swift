public import EventBus
import VirtualTime

/// The stage of the lesson: a strip of thumbnails that is closed with an animation.
public enum X1 {
  /// What the stage asks of the program.
  public protocol Program: AnyObject, Sendable {
    /// Makes a strip that is not visible.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// The strip is visible from now on, and shows the thumbnail once it is loaded. On main.
    func appear(_ picture: String)

    /// The strip is not visible any more, and shows nothing. On main.
    func disappear()
  }

  static let lesson = Lesson(
    "X1-check-then-act", .views, program: "ThumbnailStrip", guilty: "guard isVisible", deviations: 1,
    token: "E1.1:1.90debaa1")

  /// Puts a program on the stage.
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
        try require(screen.texts == ["A"], "only A comes while the strip is visible, and \(screen.texts) are shown")
        return screen.text
      }
    } act: { runtime in
      let (server, isVisible) = (PictureServer(runtime), Watched(false))
      let screen = Screen(runtime) { _ in isVisible.value ? nil : "the strip has disappeared, and shows something" }
      let strip = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "appear") {
        isVisible.value = true
        strip.appear("A")
      }
      runtime.user(at: 1000, "close") {
        // What the animation does last.
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
