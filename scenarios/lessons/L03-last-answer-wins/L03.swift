public import EventBus
import VirtualTime

/// The lesson's stage: a user selects two pictures.
public enum L03 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a page that shows nothing yet.
    init(runtime: any Runtime, server: PictureServer, screen: Screen)

    /// Called on main when the user selects a picture.
    func select(_ picture: String)
  }

  static let lesson = Lesson(
    "L03-last-answer-wins", .identity, program: "PicturePage", guilty: "screen.show(image)", deviations: 2,
    token: "E1.0:1,1:1.8cfb6c42")

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let page = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "tap A") { page.select("A") }
      runtime.user(at: 1000, "tap B") { page.select("B") }
      runtime.user(at: 1050, "tap C") { page.select("C") }
      return {
        try require(screen.texts.contains("A"), "A was selected, but never shown")
        try require(screen.text == "C", "C is selected, but \(screen.text) is shown")
        let end = screen.showings.last?.time ?? .zero
        try require(end <= .milliseconds(1150), "C is shown at \(end), long after its answer could have arrived")
        return screen.text
      }
    } act: { runtime in
      let (server, screen) = (PictureServer(runtime), Screen(runtime))
      let page = program.init(runtime: runtime, server: server, screen: screen)
      runtime.user(at: 0, "tap A") { page.select("A") }
      runtime.user(at: 1000, "tap B") { page.select("B") }
      return {
        try require(screen.text == "B", "B is selected, but \(screen.text) is shown")
        return screen.texts.joined(separator: " ")
      }
    }
  }
}
