public import EventBus
import PlainText
import VirtualTime

/// The lesson's stage: two albums are printed on a pool of two threads.
public enum L17 {
  /// The interface that the program implements.
  public protocol Program: AnyObject, Sendable {
    /// Creates a printer.
    init(runtime: any Runtime, screen: Screen)

    /// Prints an album and its cover on the workers, then shows its title. Called on main.
    func print(_ album: String)
  }

  static let lesson = Lesson(
    "L17-waiting-in-the-pool", .pools, program: "AlbumPrinter", guilty: "isReady.wait()", pool: .fixed(width: 2),
    deviations: 1, token: "E1.0:1.692b241b")

  private static func play(
    _ program: any Program.Type, _ runtime: VirtualRuntime, _ albums: [String], isExact: Bool, interval: Int = 1000
  ) -> () throws -> String {
    let screen = Screen(runtime)
    let printer = program.init(runtime: runtime, screen: screen)
    for (index, album) in albums.enumerated() {
      runtime.user(at: index * interval, "print \(album)") { printer.print(album) }
    }
    return {
      try screen.verify()
      try require(
        screen.texts.sorted() == albums.sorted(), "the user printed \(albums), but the screen shows \(screen.texts)")
      if isExact { try screen.verify(shows: albums.enumerated().map { ($1, $0 * interval) }) }
      return screen.texts.joined(separator: " ")
    }
  }

  /// Sets up the stage for a program.
  public static func play(_ program: any Program.Type) -> LessonPlay {
    LessonPlay(lesson) { runtime, data in
      play(program, runtime, data.names("Summer", "Winter"), isExact: true)
    } act: { runtime, data in
      play(
        program, runtime, data.names(data.number(0, 2, or: 2...3), shown: ["Summer", "Winter"]), isExact: false)
    } further: {
      [
        LessonPlay.Further("many albums at once", .inOrder) { runtime, data in
          play(
            program, runtime, data.names(data.number(1, 4, or: 4...8), shown: []), isExact: true, interval: 0)
        }
      ]
    }
  }
}
