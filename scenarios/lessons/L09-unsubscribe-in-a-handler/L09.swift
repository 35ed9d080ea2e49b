public import EventBus
import VirtualTime

/// The lesson's stage: a banner unsubscribes itself and a page from a bulletin.
public enum L09 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a bulletin without subscribers.
    init(runtime: any Runtime)

    /// Adds a handler that receives all news from now on. Called on main.
    func subscribe(_ name: String, handler: @escaping @Sendable (String) -> Void)

    /// Removes a handler. It is never called after this method returns. Called on main, possibly inside a handler.
    func unsubscribe(_ name: String)

    /// Calls the handlers in the order in which they subscribed. Called on main.
    func post(_ news: String)
  }

  static let lesson = Lesson(
    "L09-unsubscribe-in-a-handler", .delivery, program: "Bulletin", guilty: "index += 1", deviations: 1,
    token: "E1.0:1.daa706bd")

  private static func open(_ bulletin: any Program, _ screen: Screen, _ isOpen: Watched<Bool>) {
    isOpen.value = true
    bulletin.subscribe("page") { screen.show("page: \($0)") }
    bulletin.subscribe("list") { screen.show("list: \($0)") }
  }

  /// Opens a banner that shows one piece of news, and then unsubscribes itself and the page.
  private static func openBanner(_ bulletin: any Program, _ screen: Screen, _ isOpen: Watched<Bool>) {
    bulletin.subscribe("banner") { [weak bulletin] news in
      screen.show("banner: \(news)")
      bulletin?.unsubscribe("banner")
      bulletin?.unsubscribe("page")
      isOpen.value = false
    }
  }

  private static func makeScreen(_ runtime: VirtualRuntime, _ isOpen: Watched<Bool>) -> Screen {
    Screen(runtime) { text in
      text.hasPrefix("page") && !isOpen.value ? "the page is called after it has unsubscribed" : nil
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      let (bulletin, isOpen) = (program.init(runtime: runtime), Watched(false))
      let screen = makeScreen(runtime, isOpen)
      runtime.user(at: 0, "open page and list") { open(bulletin, screen, isOpen) }
      runtime.user(at: 100, "open banner") { openBanner(bulletin, screen, isOpen) }
      runtime.user(at: 1000, "post rain") { bulletin.post("rain") }
      runtime.user(at: 2000, "post sun") { bulletin.post("sun") }
      return {
        try screen.verify()
        try require(
          screen.texts == ["page: rain", "list: rain", "banner: rain", "list: sun"],
          "the handlers received the wrong news, or news in the wrong order: \(screen.texts)")
        return screen.text
      }
    } act: { runtime in
      let (bulletin, isOpen) = (program.init(runtime: runtime), Watched(false))
      let screen = makeScreen(runtime, isOpen)
      runtime.user(at: 0, "open page and list") { open(bulletin, screen, isOpen) }
      _ = runtime.network("network").schedule(after: .milliseconds(100)) {
        runtime.note("banner arrives")
        runtime.main.schedule {
          runtime.note("open banner")
          openBanner(bulletin, screen, isOpen)
        }
      }
      runtime.user(at: 1000, "post rain") { bulletin.post("rain") }
      return {
        try screen.verify()
        try require(screen.texts.contains("list: rain"), "the list is subscribed, but missed the rain")
        return screen.texts.joined(separator: ", ")
      }
    }
  }
}
