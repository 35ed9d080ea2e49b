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

    /// Loads the album, and shows its title once the album has arrived. Called on main, again for each album.
    func open(_ album: String)
  }

  static let lesson = Lesson(
    "L12-subscribe-late", .delivery, program: "AlbumPage", guilty: "load(album)", deviations: 1,
    token: "E1.0:1.c8564e53")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ data: RunData, _ albums: [String], isExact: Bool = true,
    broken: Set<String> = []
  ) -> () throws -> String {
    let (server, screen) = (PictureServer(runtime, data, broken: broken), Screen(runtime))
    let page = program.init(runtime: runtime, bus: runtime.makeBus(), server: server, screen: screen)
    for (index, album) in albums.enumerated() {
      runtime.user(at: index * 1000, "open \(album)") { page.open(album) }
    }
    return {
      _ = page  // keeps the page alive until here
      try screen.verify()
      try server.verify(requests: albums)
      let titles = albums.enumerated().filter { !broken.contains($1) }.map { (data.answer(to: $1), $0 * 1000 + 100) }
      if isExact { try screen.verify(shows: titles) }
      try require(screen.texts == titles.map(\.0), "\(titles.map(\.0)) arrived, but the screen shows \(screen.texts)")
      return screen.text
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      play(program, runtime, data, data.names("Summer", "Winter"))
    } act: { runtime, data in
      play(program, runtime, data, data.names("Summer"), isExact: false)
    } further: {
      [
        LessonPlay.Further("an album that cannot be loaded, and one that is opened again", .inOrder) { runtime, data in
          let names = data.names("A", "B", "C")
          return play(program, runtime, data, names + [names[0]], broken: [names[1]])
        }
      ]
    }
  }
}
