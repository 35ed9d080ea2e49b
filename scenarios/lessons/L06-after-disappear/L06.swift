public import EventBus
import VirtualTime

/// The lesson's stage: a view closes with an animation while its picture is loading.
public enum L06 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a view that is not on the screen.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Called on main when the view appears and wants a picture.
    func appear(_ picture: String)

    /// Called on main when the view disappears.
    func disappear()
  }

  static let lesson = Lesson(
    "L06-after-disappear", .views, program: "DetailView", guilty: "screen.show(image)", deviations: 1,
    token: "E1.0:1.daa706bd")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let view = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "appear A") { view.appear("A") }
      runtime.user(at: 1000, "disappear") { view.disappear() }
      runtime.user(at: 2000, "appear B") { view.appear("B") }
      return {
        try require(screen.texts == ["A", "B"], "A and B appeared, but \(screen.texts) were shown")
        let times = screen.showings.map(\.time)
        try require(times == [.milliseconds(100), .milliseconds(2100)], "A and B are not shown on time: \(times)")
        return screen.text
      }
    } act: { runtime in
      let isVisible = Watched(false)
      let server = PictureServer(runtime)
      let screen = Screen(runtime) { _ in isVisible.value ? nil : "the view changes after it has disappeared" }
      let view = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "appear A") {
        isVisible.value = true
        view.appear("A")
      }
      runtime.user(at: 1000, "close") {
        // This is the last closure of the animation.
        runtime.main.schedule {
          runtime.note("disappear")
          view.disappear()
          isVisible.value = false
        }
      }
      return {
        try screen.verify()
        return screen.texts.joined(separator: " ")
      }
    }
  }
}
