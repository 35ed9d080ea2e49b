public import EventBus
import VirtualTime

/// The lesson's stage: a banner unsubscribes itself and a page from a bulletin.
public enum L09 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a bulletin without subscribers.
    init(runtime: any Runtime)

    /// Adds a handler that receives all news from now on. Returns a number for
    /// `unsubscribe`. Called on main.
    func subscribe(_ handler: @escaping @Sendable (String) -> Void) -> Int

    /// Removes a handler. It is never called after this method returns. Called on main, possibly inside a handler.
    func unsubscribe(_ number: Int)

    /// Calls the handlers in the order in which they subscribed. Called on main.
    func post(_ news: String)
  }

  static let lesson = Lesson(
    "L09-unsubscribe-in-a-handler", .delivery, program: "Bulletin", guilty: "index += 1", deviations: 1,
    token: "E1.0:1.daa706bd")

  /// The page, the list and the banner that receive the news.
  private struct Room: Sendable {
    let runtime: VirtualRuntime
    let bulletin: any Program
    let screen: Screen
    let isOpen = Watched(false)
    let page = Watched(0)
    let names: [String]

    init(_ program: any Program.Type, _ runtime: VirtualRuntime, _ names: [String]) {
      self.runtime = runtime
      self.names = names
      bulletin = program.init(runtime: runtime)
      screen = Screen(runtime) { [isOpen] text in
        text.hasPrefix(names[0]) && !isOpen.value ? "the \(names[0]) is called after it has unsubscribed" : nil
      }
    }

    func openPage() {
      isOpen.value = true
      page.value = bulletin.subscribe { [screen, names] in screen.show("\(names[0]): \($0)") }
    }

    func openList() { _ = bulletin.subscribe { [screen, names] in screen.show("\(names[1]): \($0)") } }

    /// Opens a banner. The banner shows one news item, then unsubscribes itself and the page.
    func openBanner() {
      let own = Watched(0)
      own.value = bulletin.subscribe { [weak bulletin, screen, names, page, isOpen] news in
        screen.show("\(names[2]): \(news)")
        bulletin?.unsubscribe(own.value)
        bulletin?.unsubscribe(page.value)
        isOpen.value = false
      }
    }
  }

  private static func names(_ data: RunData) -> [String] { data.names("page", "list", "banner", "rain", "sun", "snow") }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      let names = names(data)
      let room = Room(program, runtime, names)
      let (page, list, banner, rain, sun) = (names[0], names[1], names[2], names[3], names[4])
      runtime.user(at: 0, "open \(page) and \(list)") {
        room.openPage()
        room.openList()
      }
      runtime.user(at: 100, "open \(banner)") { room.openBanner() }
      runtime.user(at: 1000, "post \(rain)") { room.bulletin.post(rain) }
      runtime.user(at: 2000, "post \(sun)") { room.bulletin.post(sun) }
      return {
        try room.screen.verify()
        try require(
          room.screen.texts == ["\(page): \(rain)", "\(list): \(rain)", "\(banner): \(rain)", "\(list): \(sun)"],
          "the handlers received the wrong news, or news in the wrong order: \(room.screen.texts)")
        return room.screen.text
      }
    } act: { runtime, data in
      let names = names(data)
      let room = Room(program, runtime, names)
      runtime.user(at: 0, "open \(names[0]) and \(names[1])") {
        room.openPage()
        room.openList()
      }
      _ = runtime.network("network").schedule(after: .milliseconds(100)) {
        runtime.note("\(names[2]) arrives")
        runtime.main.schedule {
          runtime.note("open \(names[2])")
          room.openBanner()
        }
      }
      runtime.user(at: 1000, "post \(names[3])") { room.bulletin.post(names[3]) }
      return {
        try room.screen.verify()
        try require(
          room.screen.texts.contains("\(names[1]): \(names[3])"),
          "the \(names[1]) is subscribed, but missed the \(names[3])")
        return room.screen.texts.joined(separator: ", ")
      }
    } further: {
      [
        LessonPlay.Further("a banner that subscribed before the page", .inOrder) { runtime, data in
          let names = names(data)
          let room = Room(program, runtime, names)
          let (page, list, banner) = (names[0], names[1], names[2])
          runtime.user(at: 0, "open all") {
            room.openList()
            room.openBanner()
            room.openPage()
            room.openList()
          }
          runtime.user(at: 1000, "post") { room.bulletin.post(names[3]) }
          runtime.user(at: 1500, "open \(page) again") { room.openPage() }
          runtime.user(at: 2000, "post") { room.bulletin.post(names[4]) }
          return {
            try room.screen.verify()
            try require(
              room.screen.texts == [
                "\(list): \(names[3])", "\(banner): \(names[3])", "\(list): \(names[3])", "\(list): \(names[4])",
                "\(list): \(names[4])", "\(page): \(names[4])",
              ], "the handlers received the wrong news, or news in the wrong order: \(room.screen.texts)")
            return room.screen.text
          }
        }
      ]
    }
  }
}
