public import EventBus
import VirtualTime

/// The lesson's stage: a page opens while its album is loading.
public enum L12 {
  /// Posted when an album has arrived.
  public struct AlbumArrived: Event {
    /// The album's title.
    public let title: String

    /// Creates the event.
    public init(title: String) { self.title = title }
  }

  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a page that is not open yet.
    init(runtime: any Runtime, bus: EventBus, server: PictureServer, screen: Screen)

    /// Loads the album, and shows its title once the album has arrived. Called on main.
    func open(_ album: String)
  }

  static let lesson = Lesson(
    "L12-subscribe-late", .delivery, program: "AlbumPage", guilty: "load(album)", deviations: 1,
    token: "E1.0:1.c8564e53")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ albums: [(time: Int, title: String)]
  ) -> () throws -> String {
    let (server, screen) = (PictureServer(runtime), Screen(runtime))
    let page = program.init(runtime: runtime, bus: runtime.makeBus(), server: server, screen: screen)
    for (time, title) in albums { runtime.user(at: time, "open \(title)") { page.open(title) } }
    return {
      _ = page  // keeps the page alive until here
      try screen.verify()
      let titles = albums.map(\.title)
      try require(server.requests == titles, "the requests are wrong: \(server.requests)")
      try require(screen.texts == titles, "\(titles) arrived, but the screen shows \(screen.texts)")
      return screen.text
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime in
      play(program, runtime, [(0, "Summer"), (1000, "Winter")])
    } act: { runtime in
      play(program, runtime, [(0, "Summer")])
    }
  }
}
